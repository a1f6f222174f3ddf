// Play dominoes in pairs at server.js:  node players.js URL TABLES THINK SECONDS
//
// Speaks the protocol of boardgame.io's client over socket.io-client, but without the client's store: reducing every
// update again for all players in one process would be slower than the measured server.
//
// Prints "measuring" and "measured" to standard error, and at the end a JSON object to standard output: times in ms,
// sizes in bytes; the window and the CPU time of this process in seconds.
const { io } = require("socket.io-client");
const { Dominoes, legal } = require("./game.js");

const WARM_UP_SECONDS = 2; // after all tables are open
const UPDATE_TIMEOUT_SECONDS = 20;

const [url, ...numbers] = process.argv.slice(2);
const [tables, think, seconds] = numbers.map(Number);
const UPDATE_PREFIX = `2/${Dominoes.name},["update"`;

const figures = { answers: [], seen: [], frames: [], moves: 0, matches: 0 };
let measuring = false;

const pause = (time) => new Promise((done) => setTimeout(done, 1000 * time));
const roundToHundredths = (number) => Math.round(100 * number) / 100;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

async function post(path, body) {
  const response = await fetch(`${url}/games/${Dominoes.name}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

class Player {
  constructor(table, id) {
    this.table = table;
    this.id = id;
    this.socket = io(`${url}/${Dominoes.name}`, {
      transports: ["websocket"],
      forceNew: true, // one connection per player, as in two browsers
      reconnection: false,
    });
    this.socket.on("connect_error", (error) => fail(`a socket did not open: ${error.message}`));
    this.socket.on("disconnect", (reason) => fail(`a socket closed: ${reason}`));
    this.socket.on("update", (matchID, state) => this.onUpdate(matchID, state));
    this.socket.on("connect", () => this.socket.io.engine.on("packet", recordSize));
  }

  // Join the match and load its state.
  async join(matchID) {
    const seat = { playerID: this.id, playerName: `player ${this.id}` };
    const { playerCredentials } = await post(`${matchID}/join`, seat);
    this.credentials = playerCredentials;
    await new Promise((done) => {
      this.socket.once("sync", (_matchID, { state }) => {
        this.state = state;
        done();
      });
      this.socket.emit("sync", matchID, this.id, playerCredentials, 2);
    });
  }

  onUpdate(matchID, state) {
    const { table } = this;
    if (matchID !== table.matchID || state._stateID <= this.state._stateID) return;
    this.state = state;
    const { at, by } = table.sent.get(state._stateID);
    if (measuring) {
      (by === this ? figures.answers : figures.seen).push(roundToHundredths(performance.now() - at));
      figures.moves += by === this;
    }
    table.waitingSince = Infinity;
    if (!state.ctx.gameover) this.takeTurn();
    else if (table.players.every((player) => player.state.ctx.gameover)) {
      figures.matches += 1;
      table.begin().catch((error) => fail(error.message));
    }
  }

  takeTurn() {
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
    table.waitingSince = at;
    this.socket.emit("update", action, this.state._stateID, table.matchID, playerID);
  }
}

class Table {
  constructor() {
    this.players = ["0", "1"].map((id) => new Player(this, id));
  }

  // Start a new match of the same players by the lobby API.
  async begin() {
    this.sent = new Map();
    this.waitingSince = performance.now();
    const { matchID } = await post("create", { numPlayers: 2 });
    for (const player of this.players) await player.join(matchID);
    this.matchID = matchID;
    this.waitingSince = Infinity;
    for (const player of this.players) player.takeTurn();
  }
}

// Record the size of an update in bytes; engine.io prefixes it with a digit.
function recordSize({ data }) {
  if (measuring && data?.startsWith(UPDATE_PREFIX)) figures.frames.push(1 + Buffer.byteLength(data));
}

function checkTimeouts(playing) {
  const deadline = performance.now() - 1000 * UPDATE_TIMEOUT_SECONDS;
  if (playing.some((table) => table.waitingSince < deadline)) fail(`no answer within ${UPDATE_TIMEOUT_SECONDS} s`);
}

async function main() {
  const playing = [];
  setInterval(checkTimeouts, 1000, playing);
  for (let number = 0; number < tables; number += 1) {
    const table = new Table();
    playing.push(table);
    await table.begin();
  }
  await pause(WARM_UP_SECONDS);
  console.error("measuring");
  const usageBefore = process.cpuUsage();
  const start = performance.now();
  measuring = true;
  await pause(seconds);
  measuring = false;
  figures.window = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(usageBefore);
  figures.playerCpu = (user + system) / 1e6;
  console.error("measured");
  process.stdout.write(JSON.stringify(figures), () => process.exit());
}

main().catch((error) => fail(error.message));
