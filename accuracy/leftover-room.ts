import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from './actor.ts';
import { createActor } from './actor.ts';
import type { Venue } from './cast.ts';
import type { Dwelling } from './habitat.ts';
import { settle } from './habitat.ts';
import { installHooks } from './install-hooks.ts';
import type { LifeStep } from './life-room.ts';
import type { MarkedProcess } from './marked-processes.ts';
import {
  endMarkedProcesses,
  identityOf,
  isSameRunning,
  markedProcesses,
  send,
  terminalProcessesBelow,
} from './marked-processes.ts';
import type { AskRollcall } from './own-rollcall.ts';
import { askRollcallIn } from './own-rollcall.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { startTmux } from './private-tmux.ts';
import { reachPrompt } from './reach-prompt.ts';
import type { Specimen } from './specimens/specimen.ts';
import { NotReached, until, wait } from './until.ts';

/** What `rollcall doctor` says of one process. */
export interface Said {
  readonly class: string;
  readonly fixable: boolean;
  readonly text: string;
  readonly pid?: number;
  readonly session?: string;
  readonly memoryBytes?: number;
}

export interface Diagnosis {
  readonly code: number;
  readonly said: readonly Said[];
  readonly fixes: readonly { readonly pid?: number; readonly result: string; readonly text: string }[];
}

/** A session that `rollcall run` started, with its agent at its prompt. */
export interface Resident {
  readonly actor: Actor;
  readonly key: string;
  /** The agent itself, without any tool. */
  readonly agent: readonly MarkedProcess[];
}

/** One home with a tmux server of its own in which agents are killed. */
export interface Room {
  readonly dwelling: Dwelling;
  readonly tmux: PrivateTmux;
  /** Everything of this run that runs. */
  running(): MarkedProcess[];
  /** Starts an agent with `rollcall run`. */
  start(name: string, words: readonly string[], ...flags: string[]): Promise<Resident>;
  doctor(...flags: string[]): Promise<Diagnosis>;
  /** SIGKILL to the agent and to nothing that it started. */
  kill(resident: Resident): Promise<void>;
  hasSession(name: string): boolean;
  step<T>(name: string, work: () => Promise<T>, seen: (value: T) => string): Promise<T>;
}

/** One thing that was played, and what was seen. */
export interface Leaving {
  readonly title: string;
  readonly steps: readonly LifeStep[];
  /** What was not as it has to be; null when all was. */
  readonly failure: string | null;
}

/** Plays in a room of its own, and takes it down whatever happens. */
export async function inRoom(
  { title, name }: { readonly title: string; readonly name: string },
  specimen: Specimen,
  venue: Venue,
  play: (room: Room) => Promise<void>,
): Promise<Leaving> {
  const dwelling = settle(name, specimen, {}, venue.ground);
  const tmux = startTmux(`${dwelling.folder}/t`, dwelling.env);
  venue.onEnd(() => tmux.stop());
  const steps: LifeStep[] = [];
  const tell = (step: LifeStep) => {
    steps.push(step);
    venue.say(`${title}: ${step.name}: ${step.seen} (${step.ms} ms)`);
  };
  try {
    const problem = installHooks(specimen.kind, dwelling);
    if (problem !== null) throw new NotReached(problem);
    await play(openRoom(specimen, venue, dwelling, tmux, tell));
    return { title, steps, failure: null };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    venue.say(`${title}: ${failure}`);
    return { title, steps, failure };
  } finally {
    tmux.stop();
    // What ends late here must not be taken for something that the next room lost.
    await endMarkedProcesses(venue.ground.nonce);
  }
}

function openRoom(
  specimen: Specimen,
  venue: Venue,
  dwelling: Dwelling,
  tmux: PrivateTmux,
  tell: (step: LifeStep) => void,
): Room {
  const ask = askRollcallIn(dwelling, {});
  const answered = new Set<RegExp>();
  const hasSession = (name: string) =>
    tmux.run('list-sessions', '-F', '#{session_name}').split('\n').includes(name);
  return {
    ...{ dwelling, tmux, hasSession },
    running: () => markedProcesses(venue.ground.nonce).filter(isSameRunning),
    async start(name, words, ...flags) {
      const cwd = join(dwelling.work, name);
      mkdirSync(cwd, { recursive: true });
      const place = ['--server', tmux.socketPath, '--name', name, '--cwd', cwd];
      const { code, document } = await ask('run', ...place, ...flags, '--json', '--', ...words);
      if (code !== 0) throw new NotReached(`rollcall run ended with ${code}`);
      const actor = createActor(name, specimen, { tmux, log: venue.log });
      await reachPrompt(actor, answered);
      const pane = actor.panePid();
      const agent = [pane, ...terminalProcessesBelow(pane)].flatMap((pid) => identityOf(pid) ?? []);
      return { actor, key: String(document.key), agent };
    },
    doctor: (...flags) => diagnose(ask, flags),
    async kill({ agent }) {
      for (const one of agent) send(one, 'SIGKILL');
      if (!(await until(() => !agent.some(isSameRunning), 5000)))
        throw new NotReached('the agent outlived SIGKILL');
      // Hooks and the like that were at work end by themselves.
      await wait(1500);
    },
    hasSession,
    async step(name, work, seen) {
      const startedAt = Date.now();
      const value = await work();
      tell({ name, ms: Date.now() - startedAt, seen: seen(value) });
      return value;
    },
  };
}

// Only what is about processes: the machine that this runs on is not what is looked at.
async function diagnose(ask: AskRollcall, flags: readonly string[]): Promise<Diagnosis> {
  const { code, document } = await ask(
    'doctor',
    '--only',
    'agent-processes,helper-processes',
    '--json',
    ...flags,
  );
  const { checks, fixes } = document as unknown as {
    checks: readonly { findings: readonly Said[] }[];
    fixes: Diagnosis['fixes'];
  };
  return { code, fixes, said: checks.flatMap(({ findings }) => findings) };
}
