// The boardgame.io server as documented:  node server.js FOLDER [PORT]
//
// Prints its port when it listens. For every move FlatFile rewrites the state, log and players of a match in three
// files, without fsync and after the players received the move: a crash can lose moves that were confirmed.
const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { Dominoes } = require("./game.js");

const [folder, port = "0"] = process.argv.slice(2);
const server = Server({
  games: [Dominoes],
  db: new FlatFile({ dir: folder }),
  origins: [Origins.LOCALHOST],
});

// run() takes no host; listen on localhost only.
const { listen } = server.app;
server.app.listen = (number, listening) => listen(number, "127.0.0.1", listening);

server.run({ port: Number(port) }).then(({ appServer }) => console.log(appServer.address().port));

// Exit with the parent process.
process.stdin.resume().on("end", () => process.exit());
