import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createActor } from './actor.ts';
import type { Dwelling } from './habitat.ts';
import { settle } from './habitat.ts';
import type { AgentKind } from './install.ts';
import { installHooks } from './install-hooks.ts';
import type { Venue } from './lane.ts';
import { isRunning, terminalProcessesBelow } from './marked-processes.ts';
import type { Rollcall } from './own-rollcall.ts';
import { rollcallIn } from './own-rollcall.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { startTmux } from './private-tmux.ts';
import { reachPrompt } from './reach-prompt.ts';
import type { Specimen } from './specimens/specimen.ts';
import { turnEnd } from './turns.ts';
import { NotReached } from './until.ts';

/** One thing that a whole life must show, and what was seen. */
export interface LifeStep {
  readonly name: string;
  readonly ms: number;
  readonly seen: string;
}

export interface Life {
  readonly kind: AgentKind;
  readonly steps: readonly LifeStep[];
  /** What ended it too early; null when all of it was seen. */
  readonly failure: string | null;
}

// A role that is closed as soon as it may be, after having been kept for a moment.
const CONFIG = {
  confirmFor: '2s',
  roles: { worker: { onComplete: 'retain', retainFor: '8s' } },
};

/**
 * A whole life of a real agent, through the commands that a person has: started, one turn of work, declared complete,
 * retained, closed without a signal, reopened, and its conversation goes on.
 */
export async function playLife(specimen: Specimen, venue: Venue): Promise<Life> {
  const { kind } = specimen;
  const dwelling = settle(`life-${kind}`, specimen, {}, venue.ground);
  const tmux = startTmux(`${dwelling.folder}/t`, dwelling.env);
  venue.onEnd(() => tmux.stop());
  const steps: LifeStep[] = [];
  try {
    const problem = installHooks(kind, dwelling);
    if (problem !== null) throw new NotReached(problem);
    await live(specimen, venue, dwelling, tmux, (step) => {
      steps.push(step);
      venue.say(`life of ${kind}: ${step.name}: ${step.seen} (${step.ms} ms)`);
    });
    return { kind, steps, failure: null };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    venue.say(`life of ${kind}: ${failure}`);
    return { kind, steps, failure };
  } finally {
    tmux.stop();
  }
}

async function live(
  specimen: Specimen,
  venue: Venue,
  dwelling: Dwelling,
  tmux: PrivateTmux,
  tell: (step: LifeStep) => void,
): Promise<void> {
  const rollcall = rollcallIn(dwelling, CONFIG);
  const name = `${specimen.kind}-life`;
  const actor = createActor(name, specimen, { tmux, log: venue.log });
  const step = async <T>(what: string, work: () => Promise<T>, seen: (value: T) => string): Promise<T> => {
    const startedAt = Date.now();
    const value = await work();
    tell({ name: what, ms: Date.now() - startedAt, seen: seen(value) });
    return value;
  };

  const cwd = join(dwelling.work, name);
  mkdirSync(cwd, { recursive: true });
  const command = specimen.command({}).split(' ');
  const place = ['--server', tmux.socketPath, '--name', name, '--cwd', cwd, '--role', 'worker'];
  await step(
    'run',
    () => rollcall('run', ...place, '--task', 'T-1', '--json', '--', ...command),
    ({ key }) => `started as ${key}`,
  );
  await reachPrompt(actor);
  const tag = await actor.order('done', '', { state: 'working', activity: 'working', mayClose: false });
  await turnEnd(actor, tag);
  await step(
    'complete',
    () => rollcall('complete', name, '--evidence', 'the turn is over', '--json'),
    () => 'declared',
  );
  const until = (state: string) => rollcall('wait', name, '--until', state, '--timeout', '90s', '--json');
  await step(
    'retained',
    () => until('completed-retained'),
    () => 'completed-retained',
  );
  await step(
    'may be closed',
    () => until('safe-to-close'),
    () => 'safe-to-close',
  );
  const before = await conversationOf(rollcall, name);
  const processes = terminalProcessesBelow(actor.panePid());
  const closed = await step('close', () => rollcall('close', name, '--json'), rungsOf);
  if (processes.some(isRunning)) throw new NotReached('a process of the agent outlived the close');
  const rungs = rungsOf(closed);
  if (!/ask done/.test(rungs) || /terminate|kill/.test(rungs))
    throw new NotReached(`closed by force: ${rungs}`);
  await step(
    'reopen',
    () => rollcall('reopen', name, '--server', tmux.socketPath, '--json'),
    ({ key }) => `reopened as ${key}`,
  );
  await step(
    'back at its prompt',
    () => until('idle'),
    () => 'idle',
  );
  await step(
    'resumed',
    async () => {
      const after = await conversationOf(rollcall, name);
      const screen = await actor.screen();
      if (!screen.includes(tag)) throw new NotReached('the screen does not show the earlier turn');
      if (before === null || after !== before) throw new NotReached(`conversation ${after} is not ${before}`);
      return after;
    },
    (conversation) => `conversation ${conversation}`,
  );
  const again = await actor.order('done', '', { state: 'working', activity: 'working', mayClose: false });
  await turnEnd(actor, again);
  await step(
    'verify',
    () => rollcall('verify', '--json'),
    () => 'the ledger is whole',
  );
}

async function conversationOf(rollcall: Rollcall, name: string): Promise<string | null> {
  const { sessions } = (await rollcall('--json', name)) as {
    sessions: readonly { readonly agent: { readonly conversation: string | null } | null }[];
  };
  return sessions[0]?.agent?.conversation ?? null;
}

function rungsOf(closed: Record<string, unknown>): string {
  const [first] = (closed.sessions ?? []) as { receipt?: { rungs?: { rung: string; result: string }[] } }[];
  return (first?.receipt?.rungs ?? []).map(({ rung, result }) => `${rung} ${result}`).join(', ');
}
