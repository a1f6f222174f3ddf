// Tables of two that play dominoes at server.js:  node players.js URL TABLES THINK SECONDS
//
// They speak the protocol of boardgame.io's client over its own socket.io-client, but without the client's store:
// that holds the state a second time and reduces it again for every update, in one process for all players, who
// would then be slower than the server that is measured.
//
// Says "measuring" and "measured" on standard error, and in the end one JSON object on standard output: times in ms,
// sizes in bytes, the window and the players' own time of the processor in seconds.
const { io } = require("socket.io-client");
const { Dominoes, legal } = require("./game.js");

const LEAD = 2; // seconds of play before it is measured, once all tables are open
const PATIENCE = 20; // seconds for an update

const [url, ...numbers] = process.argv.slice(2);
const [tables, think, seconds] = numbers.map(Number);
const UPDATE = `2/${Dominoes.name},["update"`;

const figures = { answers: [], seen: [], frames: [], moves: 0, matches: 0 };
let measuring = false;

const pause = (time) => new Promise((done) => setTimeout(done, 1000 * time));
const hundredth = (number) => Math.round(100 * number) / 100;

function fail(why) {
  console.error(why);
  process.exit(1);
}

async function ask(path, body) {
  const answer = await fetch(`${url}/games/${Dominoes.name}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

class Player {
  constructor(table, id) {
    this.table = table;
    this.id = id;
    this.socket = io(`${url}/${Dominoes.name}`, {
      transports: ["websocket"],
      forceNew: true, // a connection each, as two browsers have
      reconnection: false,
    });
    this.socket.on("connect_error", (error) => fail(`a socket did not open: ${error.message}`));
    this.socket.on("disconnect", (reason) => fail(`a socket closed: ${reason}`));
    this.socket.on("update", (matchID, state) => this.take(matchID, state));
    this.socket.on("connect", () => this.socket.io.engine.on("packet", weigh));
  }

  // Joins the match and has its state.
  async join(matchID) {
    const seat = { playerID: this.id, playerName: `player ${this.id}` };
    const { playerCredentials } = await ask(`${matchID}/join`, seat);
    this.credentials = playerCredentials;
    await new Promise((done) => {
      this.socket.once("sync", (_matchID, { state }) => {
        this.state = state;
        done();
      });
      this.socket.emit("sync", matchID, this.id, playerCredentials, 2);
    });
  }

  take(matchID, state) {
    const { table } = this;
    if (matchID !== table.matchID || state._stateID <= this.state._stateID) return;
    this.state = state;
    const { at, by } = table.sent.get(state._stateID);
    if (measuring) {
      (by === this ? figures.answers : figures.seen).push(hundredth(performance.now() - at));
      figures.moves += by === this;
    }
    table.waiting = Infinity;
    if (!state.ctx.gameover) this.turn();
    else if (table.players.every((player) => player.state.ctx.gameover)) {
      figures.matches += 1;
      table.begin().catch((error) => fail(error.message));
    }
  }

  turn() {
    if (this.state.ctx.currentPlayer !== this.id) return;
    if (think) setTimeout(() => this.move(), 1000 * think * (0.5 + Math.random()));
    else this.move();
  }

  move() {
    const moves = legal(this.state.G, this.id);
    const [type, ...args] = moves[Math.floor(moves.length * Math.random())];
    const { id: playerID, credentials, table } = this;
    const action = { type: "MAKE_MOVE", payload: { type, args, playerID, credentials } };
    const at = performance.now();
    table.sent.set(this.state._stateID + 1, { at, by: this });
    table.waiting = at;
    this.socket.emit("update", action, this.state._stateID, table.matchID, playerID);
  }
}

class Table {
  constructor() {
    this.players = ["0", "1"].map((id) => new Player(this, id));
  }

  // A new match of the same two, by the lobby's API.
  async begin() {
    this.sent = new Map();
    this.waiting = performance.now();
    const { matchID } = await ask("create", { numPlayers: 2 });
    for (const player of this.players) await player.join(matchID);
    this.matchID = matchID;
    this.waiting = Infinity;
    for (const player of this.players) player.turn();
  }
}

// Bytes of an update as the socket brought it; engine.io puts a digit before each.
function weigh({ data }) {
  if (measuring && data?.startsWith(UPDATE)) figures.frames.push(1 + Buffer.byteLength(data));
}

function lookForLost(playing) {
  const late = performance.now() - 1000 * PATIENCE;
  if (playing.some((table) => table.waiting < late)) fail(`no answer within ${PATIENCE} s`);
}

async function main() {
  const playing = [];
  setInterval(lookForLost, 1000, playing);
  for (let number = 0; number < tables; number += 1) {
    const table = new Table();
    playing.push(table);
    await table.begin();
  }
  await pause(LEAD);
  console.error("measuring");
  const own = process.cpuUsage();
  const began = performance.now();
  measuring = true;
  await pause(seconds);
  measuring = false;
  figures.window = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(own);
  figures.own = (user + system) / 1e6;
  console.error("measured");
  process.stdout.write(JSON.stringify(figures), () => process.exit());
}

main().catch((error) => fail(error.message));
