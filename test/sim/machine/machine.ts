import type { SimAgent } from './agent.ts';
import type { AgentKind, Conversation } from './agent-kinds.ts';
import { SimClock } from './clock.ts';
import { Faults } from './faults.ts';
import { SimGit } from './git.ts';
import { SimHost } from './host.ts';
import { Install } from './install.ts';
import { type By, Journal } from './journal.ts';
import type { SimProcess } from './process.ts';
import { SimProcesses } from './processes.ts';
import { programFor } from './programs.ts';
import { Rng } from './rng.ts';
import { SimShell } from './shell.ts';
import type { SimPane, SimSession } from './tmux-parts.ts';
import { SimTmuxServer } from './tmux-server.ts';

/** Wednesday, 4 November 2026, 08:00 UTC. */
const EPOCH = Date.UTC(2026, 10, 4, 8);
const UP_MS = 3 * 3600 * 1000;

/**
 * A simulated host. The truth lives here, and these are the only ways to change it:
 *
 *   clock      time: `after`, `atMs`, `sleep`, `runUntil`; `step`, `drift`, `suspend`. Nothing else moves it.
 *   rng        chance; fork it by name (`rng.fork('people')`) and draw from the fork.
 *   journal    everything that happened, with who did it: `onEntry` tells as it happens, `hash()` stands for the run.
 *   processes  `spawn`, `signal`, `end`, `use` (CPU share), `nextPidIs` (recycled numbers), `below`, `find`.
 *   servers    by socket path. `startServer(path)`; then on the server: `newSession`, `newWindow`, `split`, `respawn`,
 *              `killSession`, `killPane`, `rename`, `newGrouped`, `movePane`, `attach`, `input`, `detach`, `setMode`, `type`,
 *              `press`, `setOption`, `setMood('hung' | 'stopped' | 'well')`, `crash`. A server that comes back on the same
 *              socket counts its ids from 0 again.
 *   agents     those that live. `agentIn(pane)`: `beginTurn`, `endTurn`, `openDialog`, `answerDialog`, `setDraft`,
 *              `setBackground`, `startChild`, `leave`; `truth` is what is so, `lags`, `shows` and `fateOfHook` say what is
 *              shown of it; `leaving` says how it takes /exit, SIGTERM and a hangup, and what it leaves running.
 *   shells     `shellIn(pane)`: `run` a program in front, `leave` one behind (setsid, nohup, job), `ask`, `typed`, `pressed`.
 *   host       memory: `setMemory(MEMORY_LEVELS.critical)`; identity; `powerLoss()` ends everything at once.
 *   git        `set`, `change` facts by folder; a folder of which nobody speaks is clean and pushed.
 *   faults     `add({ port, how, fromMs, forMs, server?, seat? })`: what a port of rollcall does instead of its work.
 *   installs   state folders of rollcall by name (`home` at first): `setDisk('full')`, `spool.unheard`.
 *
 * What a command line starts in a pane: `agent-full`, `agent-hooks`, `agent-screen`, `agent-generic` (with `--resume ID`,
 * `--prompt TEXT`) an agent of that kind; `bash` a shell; `prints` a program that always prints; `ends MS STATUS` one that
 * ends; rollcall's sleeper itself; anything else runs and does nothing.
 *
 * `truth(session)` (truth.ts) tells what is really so now. A session keeps its `label` for the story; one that takes the place
 * of another (reopened, woken, restored) is found by its conversation.
 */
export class Machine {
  readonly clock: SimClock;
  readonly rng: Rng;
  readonly journal: Journal;
  readonly processes: SimProcesses;
  readonly host: SimHost;
  readonly git: SimGit;
  readonly faults: Faults;
  readonly servers = new Map<string, SimTmuxServer>();
  /** Every socket that a server ever had: its file stays. */
  readonly sockets = new Set<string>();
  /** Folders that are not there; all others are. */
  readonly missingFolders = new Set<string>();
  /** How often a tmux server was asked for what it has, and how many sessions it told of in all. */
  readonly looked = { times: 0, sessions: 0 };
  readonly installs = new Map<string, Install>();
  /** The user's runtime folder: all installs share it, and no boot finds what was in it before. */
  runtime: Install;
  readonly agents = new Set<SimAgent>();
  readonly conversations = new Map<string, Conversation>();
  readonly uid = 1000;
  readonly user = 'ada';
  readonly home = '/home/ada';
  /** Enter was pressed in a sleeper: whoever plays rollcall starts `rollcall wake`. */
  onWake: ((receipt: string, pane: SimPane, sleeper: SimProcess, by: By) => void) | null = null;
  /** Without power, or on its way up: nothing runs. */
  isDown = false;
  ttys = 0;
  #labels = 0;

  constructor(seed: string | number) {
    this.rng = new Rng(seed);
    this.clock = new SimClock(EPOCH, UP_MS);
    this.journal = new Journal(this.clock);
    this.processes = new SimProcesses(this.clock, this.journal);
    this.host = new SimHost(this.rng.fork('host'), this.journal);
    this.git = new SimGit(this.journal);
    this.faults = new Faults(this.clock, this.journal);
    this.addInstall('home');
    this.runtime = new Install('runtime', this.journal);
    this.processes.onEnd((process, how) => {
      this.host.giveBack(process.rssBytes);
      const pane = this.paneOf(process);
      if (pane !== null && !this.isDown) pane.server.paneEnded(pane, how);
    });
  }

  addInstall(name: string): Install {
    const install = new Install(name, this.journal);
    this.installs.set(name, install);
    return install;
  }

  install(name: string): Install {
    return this.installs.get(name) ?? this.addInstall(name);
  }

  startServer(socketPath: string, by: By = 'person', version = '3.4'): SimTmuxServer {
    const known = this.servers.get(socketPath);
    if (known !== undefined) return known;
    const server = new SimTmuxServer(this, socketPath, version, by);
    this.servers.set(socketPath, server);
    this.sockets.add(socketPath);
    return server;
  }

  /** Every session that is there. */
  sessions(): SimSession[] {
    return [...this.servers.values()].flatMap(({ sessions }) => [...sessions.values()]);
  }

  /** The session that a story knows by this label; the youngest where several had it. */
  session(label: string): SimSession | undefined {
    return this.sessions()
      .filter((one) => one.label === label)
      .at(-1);
  }

  agentIn(pane: SimPane): SimAgent | undefined {
    return [...this.agents].find((agent) => agent.pane === pane);
  }

  shellIn({ process }: SimPane): SimShell | null {
    return process.program instanceof SimShell ? process.program : null;
  }

  /** The pane whose first process it is. */
  paneOf(process: SimProcess): SimPane | null {
    for (const { panes } of this.servers.values()) {
      for (const pane of panes.values()) if (pane.process === process) return pane;
    }
    return null;
  }

  /** A program begins in a pane. */
  begin(process: SimProcess, pane: SimPane): void {
    process.program ??= programFor(this, process, pane);
  }

  conversationOf(id: string, kind: AgentKind, cwd: string): Conversation {
    const path = `${this.home}/.${kind}/conversations/${id}.jsonl`;
    const known = this.conversations.get(id) ?? { id, kind, cwd, path, turns: [], isThere: true };
    this.conversations.set(id, known);
    return known;
  }

  nextLabel(): string {
    this.#labels += 1;
    return `t${this.#labels}`;
  }

  /** The machine sleeps. */
  suspend(forMs: number): void {
    this.clock.suspend(forMs);
    this.journal.note('kernel', { what: 'clock', detail: 'suspended', ms: forMs });
  }

  /** Somebody sets the wall clock. */
  stepClock(byMs: number): void {
    this.clock.step(byMs);
    if (byMs < 0) for (const agent of this.agents) agent.isAheadOfClock = true;
    this.journal.note('kernel', { what: 'clock', detail: 'stepped', ms: byMs });
  }

  /** Everything ends at once; what was not on the disk is lost. The next boot begins with nothing but init. */
  powerLoss(): void {
    this.isDown = true;
    this.journal.note('kernel', { what: 'power-lost' });
    for (const server of [...this.servers.values()]) server.crash('kernel', 'power');
    for (const process of [...this.processes.all()]) {
      if (process.pid !== 1) this.processes.end(process, { signal: 'SIGKILL' }, 'kernel');
    }
    for (const install of this.installs.values()) install.losePower();
    this.runtime = new Install('runtime', this.journal);
    this.clock.reboot();
    this.host.reboot();
    this.isDown = false;
  }
}
