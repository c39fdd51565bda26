import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { createHostSensor } from '../../src/adapters/host/host-sensor.ts';
import { composeGateParts } from '../../src/compose/gate/gate.ts';
import { composeHistoryReader } from '../../src/compose/history.ts';
import { openLedger } from '../../src/compose/ledger.ts';
import { partsOf, wait } from '../../src/compose/look/parts.ts';
import { composePressure } from '../../src/compose/pressure.ts';
import { labelSocket } from '../../src/compose/system/own-user.ts';
import { createDaemon, type Daemon } from '../../src/engine/daemon/create-daemon.ts';
import type { Desk } from '../../src/engine/daemon/desk.ts';
import type { Reaper } from '../../src/engine/daemon/parts.ts';
import { createLook } from '../../src/engine/look/create-look.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import type { Limits } from '../../src/server/limits.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start-server.ts';
import { ClosingRoom } from '../engine/act/closing-room.ts';

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | object;
  /** Through the port, with the token unless `headers` say otherwise. */
  readonly via?: 'socket' | 'port' | 'stranger';
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is said there.
  readonly json: any;
}

/** Decides nothing, and says of each session what keeps it. */
const WATCHING: Reaper = {
  async round({ pressure, roll }) {
    const sessions = roll.sessions.map(({ key, name, memoryBytes }) => ({
      ...{ key, name, relief: null, memoryBytes },
      guard: { code: 'not-under-pressure', text: 'memory is not short' },
    }));
    return {
      standing: {
        ...{ mode: 'shadow', wanted: 'enforce', tier: pressure.tier, pending: null, sessions },
        breaker: { at: 1, code: 'close-failed', text: 'a close failed', session: null },
        budget: { perHour: 6, used: 1, freeAt: null, problem: null },
      },
      events: [],
    };
  },
  async stop() {},
};

/** Has a server say where it is, as a daemon does: clients of the port look there before they send the token. */
export function sayWhere({ url, tokenFile }: RunningServer): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const startTicks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const note = { format: 1, pid: process.pid, startTicks, url };
  writeFileSync(join(dirname(tokenFile), 'daemon.json'), JSON.stringify(note));
}

/** A real daemon on a tmux server of the test's own, with its HTTP API open. */
export class ServerRoom extends ClosingRoom {
  readonly logged: string[] = [];
  daemon: Daemon | null = null;
  server: RunningServer | null = null;
  #ledger: Ledger | null = null;

  get folder(): string {
    return join(this.state, 'rollcall');
  }

  get desk(): Desk {
    if (this.daemon === null) throw new Error('there is no daemon yet');
    return this.daemon.desk;
  }

  get running(): RunningServer {
    if (this.server === null) throw new Error('the server is not open');
    return this.server;
  }

  get token(): string {
    return readFileSync(this.running.tokenFile, 'utf8').trim();
  }

  get port(): number {
    return Number(new URL(this.running.url ?? '').port);
  }

  /** Begins the daemon and opens its API; comes back after the first round. */
  async open(limits: Partial<Limits> = {}, reaper: Reaper = WATCHING): Promise<void> {
    const parts = partsOf({ env: this.env, settings: this.settings, sockets: [this.tmux.socketPath] });
    const host = createHostSensor({ now: Date.now });
    this.#ledger = await openLedger(this.env, 'daemon');
    this.daemon = createDaemon({
      look: createLook(parts, wait),
      pressure: composePressure(this.env, this.settings),
      ...{ reaper, wakes: [], ledger: this.#ledger, log: this.log, now: () => host.now() },
      settler: {
        round: async () => ({ standing: { mode: 'off', due: [] }, events: [] }),
        stop: async () => {},
      },
      cpuMs: () => process.cpuUsage().user / 1000,
      timers: {
        after(ms, call) {
          const timer = setTimeout(call, ms);
          return () => clearTimeout(timer);
        },
      },
      openHands: () => this.ownHands(),
    });
    this.server = await startServer(this.options(limits));
    sayWhere(this.server);
    void this.daemon.run();
    await this.desk.lookNow();
  }

  options(limits: Partial<Limits> = {}): ServerOptions {
    const { folder, desk, log, settings } = this;
    return {
      desk,
      folder,
      port: 0,
      version: '0.0.0',
      now: Date.now,
      log,
      policies: settings.policy,
      instruments: {
        doctor: () => this.doctor(),
        gate: async () => composeGateParts(this.env, settings),
        history: async () => composeHistoryReader(this.env),
      },
      socketOf: (word) => (word.includes('/') ? word : labelSocket(word, this.env)),
      limits,
    };
  }

  async doctor() {
    const { composeDoctor } = await import('../../src/compose/doctor/doctor.ts');
    const { env, settings } = this;
    return composeDoctor({ env, settings, sockets: [this.tmux.socketPath] }, '/');
  }

  // The daemon closes their ledger itself.
  async ownHands() {
    const { composeHands } = await import('../../src/compose/hands.ts');
    return composeHands(this.env, this.settings, { sockets: [this.tmux.socketPath] });
  }

  readonly log = {
    note: (event: string, fields: object = {}) => void this.logged.push(`${event} ${JSON.stringify(fields)}`),
    warn: (event: string, fields: object = {}) => void this.logged.push(`${event} ${JSON.stringify(fields)}`),
  };

  /** Through the socket, where nothing else is said. */
  ask({ method = 'GET', path, headers = {}, body, via = 'socket' }: Asked): Promise<Answered> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const where =
      via === 'socket' ? { socketPath: this.running.socketPath } : { host: '127.0.0.1', port: this.port };
    const sent = {
      ...(via === 'port' && { Authorization: `Bearer ${this.token}` }),
      ...(text !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const asking = request({ ...where, method, path, headers: sent, agent: false }, (response) => {
        let got = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          got += chunk;
        });
        response.once('end', () => {
          const { statusCode: status = 0, headers: said } = response;
          const isJson = /json/.test(said['content-type'] ?? '') && got !== '';
          resolve({ status, headers: said, text: got, json: isJson ? JSON.parse(got) : null });
        });
        response.once('error', reject);
      });
      asking.once('error', reject);
      asking.end(text);
    });
  }

  async key(name: string): Promise<string> {
    const { roll } = await this.desk.lookNow();
    const entry = roll.sessions.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`no session ${name}`);
    return entry.key;
  }

  async shut(): Promise<void> {
    await this.server?.close();
    await this.daemon?.stop();
    this.#ledger?.close();
    this.leave();
  }
}
