import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { rollDocumentSchema } from '../src/contract/document-schemas.ts';
import type { SessionObject } from '../src/contract/session-schema.ts';
import { type Actor, createActor } from './actor.ts';
import type { Venue } from './cast.ts';
import type { Dwelling } from './habitat.ts';
import { identityOf, isSameRunning, type MarkedProcess, terminalProcessesBelow } from './marked-processes.ts';
import { type AskRollcall, askRollcallIn, type Rollcall, rollcallIn } from './own-rollcall.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { reachPrompt } from './reach-prompt.ts';
import type { Specimen } from './specimens/specimen.ts';
import { turnEnd } from './turns.ts';
import { NotReached, until } from './until.ts';

/** One thing that a life must show, and what was seen. */
export interface LifeStep {
  readonly name: string;
  readonly ms: number;
  readonly seen: string;
}

/** What a session is started with: flags of `rollcall run`, and words for the agent. */
export interface Start {
  readonly flags?: readonly string[];
  /** The program and its words; the agent's usual ones otherwise. */
  readonly words?: readonly string[];
}

/** What all stories of one agent share. */
export interface Home {
  readonly dwelling: Dwelling;
  readonly tmux: PrivateTmux;
  /** Dialogs that a home shows once and that have been answered in it. */
  readonly answered: Set<RegExp>;
}

/** One home with a tmux server of its own, in which one agent lives again and again. */
export interface LifeRoom {
  readonly specimen: Specimen;
  readonly dwelling: Dwelling;
  readonly tmux: PrivateTmux;
  /** Where only success will do. */
  readonly rollcall: Rollcall;
  readonly ask: AskRollcall;
  /** The same with another environment. */
  askWith(env: NodeJS.ProcessEnv): AskRollcall;
  /** The folder of a session of this name. */
  folderOf(name: string): string;
  /** Starts an agent with `rollcall run`; comes back when its prompt stays. */
  start(name: string, start?: Start): Promise<Actor>;
  /** Waits for the prompt of an agent that somebody else has started. */
  returned(name: string): Promise<Actor>;
  /** One turn of work; gives its tag. */
  turn(actor: Actor): Promise<string>;
  /** One turn in which the agent must still know another; gives the model that was asked for. */
  turnAfter(actor: Actor, earlier: string): Promise<string>;
  /** What runs in the pane of a session: its first process, and what shares its terminal. */
  processesOf(actor: Actor): MarkedProcess[];
  gone(processes: readonly MarkedProcess[], within?: number): Promise<void>;
  hasSession(name: string): boolean;
  /** A session as `rollcall --json` with these flags shows it; undefined where it does not. */
  session(name: string, ...flags: string[]): Promise<SessionObject | undefined>;
  step<T>(name: string, work: () => Promise<T>, seen: (value: T) => string): Promise<T>;
}

// Roles for each thing that may follow a completion. What is closed by itself must not wait for minutes here.
const CONFIG = {
  confirmFor: '2s',
  daemon: { port: 0 },
  roles: {
    worker: { onComplete: 'retain', retainFor: '8s' },
    passing: { onComplete: 'close-after-idle' },
  },
};
const WORKING = { state: 'working', activity: 'working', mayClose: false } as const;

export function openLifeRoom(
  specimen: Specimen,
  venue: Venue,
  { dwelling, tmux, answered }: Home,
  tell: (step: LifeStep) => void,
): LifeRoom {
  const rollcall = rollcallIn(dwelling, CONFIG);
  const folderOf = (name: string) => join(dwelling.work, name);
  const actorIn = (name: string) => createActor(name, specimen, { tmux, log: venue.log });
  const turn = async (actor: Actor) => {
    const tag = await actor.order('done', '', WORKING);
    await turnEnd(actor, tag);
    return tag;
  };
  return {
    ...{ specimen, dwelling, tmux, rollcall, folderOf, turn },
    ask: askRollcallIn(dwelling, CONFIG),
    askWith: (env) => askRollcallIn({ ...dwelling, env }, CONFIG),
    async start(name, { flags = [], words = specimen.command({}).split(' ') } = {}) {
      mkdirSync(folderOf(name), { recursive: true });
      const place = ['--server', tmux.socketPath, '--name', name, '--cwd', folderOf(name)];
      await rollcall('run', ...place, ...flags, '--json', '--', ...words);
      const actor = actorIn(name);
      await reachPrompt(actor, answered);
      return actor;
    },
    async returned(name) {
      const actor = actorIn(name);
      await reachPrompt(actor);
      return actor;
    },
    async turnAfter(actor, earlier) {
      const tag = await turn(actor);
      const requests = venue.log.of(tag).filter(({ role }) => role === 'turn');
      const [first] = requests;
      if (!first?.remembered.includes(earlier))
        throw new NotReached(`the model was asked with ${first?.remembered.join(', ')}, without ${earlier}`);
      return first.model;
    },
    processesOf(actor) {
      const pane = actor.panePid();
      return [pane, ...terminalProcessesBelow(pane)].flatMap((pid) => identityOf(pid) ?? []);
    },
    async gone(processes, within = 15_000) {
      if (!(await until(() => !processes.some(isSameRunning), within)))
        throw new NotReached('a process of the agent lives on');
    },
    hasSession: (name) => tmux.run('list-sessions', '-F', '#{session_name}').split('\n').includes(name),
    async session(name, ...flags) {
      const said = v.parse(
        rollDocumentSchema,
        await rollcall('--json', '--server', tmux.socketPath, ...flags),
      );
      return said.sessions.find((one) => one.name === name);
    },
    async step(name, work, seen) {
      const startedAt = Date.now();
      const value = await work();
      tell({ name, ms: Date.now() - startedAt, seen: seen(value) });
      return value;
    },
  };
}
