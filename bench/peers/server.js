// boardgame.io's own server, as its documentation has it:  node server.js FOLDER [PORT]
//
// Says its port once it listens. FlatFile rewrites a match's state, its whole log and its players in three files for
// every move. They are given to the operating system and never synced, and a move is told to both before it is
// written: what was told last can be lost with the process, and more with the machine.
const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { Dominoes } = require("./game.js");

const [folder, port = "0"] = process.argv.slice(2);
const server = Server({
  games: [Dominoes],
  db: new FlatFile({ dir: folder }),
  origins: [Origins.LOCALHOST],
});

// run() takes no host, and others than this machine have no business here.
const { listen } = server.app;
server.app.listen = (number, listening) => listen(number, "127.0.0.1", listening);

server.run({ port: Number(port) }).then(({ appServer }) => console.log(appServer.address().port));

// Whoever started this has ended.
process.stdin.resume().on("end", () => process.exit());
