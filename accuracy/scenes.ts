import { existsSync, statSync } from 'node:fs';
import type { Actor } from './actor.ts';
import { CHANGING } from './actor.ts';
import type { Dialog } from './specimens/specimen.ts';
import type { Truth } from './truth.ts';
import { goesOn, hold, toolCalled, turnEnd } from './turns.ts';
import { NotReached, until } from './until.ts';

/** What a scene may use besides its actor. */
export interface Props {
  readonly quiet: string;
  readonly noisy: string;
  /** A folder that every agent's sandbox lets its tools write to. */
  readonly scratch: string;
  /** How long a state is held: long enough for a wrong idle to become closable. */
  readonly holdMs: number;
}

/** Brings a session, idle at its prompt, into one state, holds it there and brings it back. */
export type Scene = (actor: Actor, props: Props) => Promise<void>;

export const idle = (state: string): Truth => ({ state, activity: 'idle', mayClose: true });
const working = (state: string): Truth => ({ state, activity: 'working', mayClose: false });

const AFTER = idle('idle: after a turn');

/** Every state that a running session is brought into, in this order. */
export const SCENES: Readonly<Record<string, Scene>> = {
  fresh: (_actor, { holdMs }) => hold(holdMs),
  stream: busy('working: streaming', 'stream'),
  silent: busy('working: silent before the first token', 'silent'),
  stall: busy('working: stalled in mid-stream', 'stall'),
  think: busy('working: thinking', 'think'),
  noisy: tool('working: tool that prints', ({ noisy }) => noisy),
  quiet: tool('working: quiet tool', ({ quiet }) => quiet),
  'quote-prompt': busy('working: quotes an idle prompt', 'quote-prompt'),
  overload: async (actor) => {
    const tag = await actor.order('overload', '2', { ...working('working: retries'), also: ['waiting'] });
    actor.mark(AFTER, await turnEnd(actor, tag, 60_000));
  },
  delegate: async (actor, { holdMs }) => {
    const tag = await actor.order('delegate', seconds(holdMs), working('working: subagent'));
    await toolCalled(actor, tag).catch(unreached(actor, tag));
    const end = await turnEnd(actor, tag);
    if (!actor.log.of(tag).some((record) => record.tag?.endsWith('-sub')))
      throw new NotReached('no subagent ran');
    actor.mark(AFTER, end);
  },
  permission: (actor, props) =>
    dialog(actor, props, 'ask', 'touch -c nothing', actor.specimen.permission, {
      state: 'waiting: permission',
      activity: 'waiting',
      waitingFor: 'permission',
      mayClose: false,
    }),
  question: (actor, props) =>
    dialog(actor, props, 'question', '', actor.specimen.question, {
      state: 'waiting: question',
      activity: 'waiting',
      waitingFor: 'question',
      mayClose: false,
    }),
  background: async (actor, { quiet, scratch, holdMs }) => {
    const done = `${scratch}/done-${actor.session}`;
    const tag = await actor.order(
      'background',
      `${quiet} ${seconds(holdMs + 3000)} ${done}`,
      working('working: starts a background shell'),
    );
    await toolCalled(actor, tag).catch(unreached(actor, tag));
    actor.mark(working('background: shell after the turn'), await turnEnd(actor, tag));
    if (!(await until(() => existsSync(done), holdMs + 20_000)))
      throw new NotReached('the background shell did not end');
    const doneAt = statSync(done).mtimeMs;
    actor.mark(CHANGING, doneAt);
    // Some agents wake up by themselves then.
    await hold(2500);
    actor.mark(AFTER, Math.max(doneAt, await turnEnd(actor, tag)));
  },
  'after-turn': async (actor, { holdMs }) => {
    const tag = await actor.order('done', '', working('working: short turn'));
    actor.mark(idle('idle: after a turn'), await turnEnd(actor, tag));
    await hold(holdMs);
  },
  'after-error': async (actor, { holdMs }) => {
    const tag = await actor.order('refuse', '', working('working: short turn'));
    actor.mark({ ...idle('idle: after an error'), also: ['waiting'] }, await turnEnd(actor, tag));
    await hold(holdMs);
  },
  'after-escape': async (actor, { holdMs }) => {
    const tag = await actor.order('stream', '40', working('working: streaming'));
    await hold(3000);
    actor.mark(CHANGING);
    await actor.keys(actor.specimen.interruptKeys);
    const aborted = await until(() => actor.log.of(tag).find(({ isAborted }) => isAborted) ?? null, 8000);
    if (!aborted) throw new NotReached('the turn did not stop at the key');
    actor.mark(idle('idle: after Esc'), aborted.endedAt ?? Date.now());
    await hold(holdMs);
  },
  'quote-dialog': async (actor, { holdMs }) => {
    const tag = await actor.order('quote-dialog', '', working('working: short turn'));
    actor.mark(idle('idle: quotes a dialog'), await turnEnd(actor, tag));
    await hold(holdMs);
  },
  draft: async (actor, { holdMs }) => {
    const text = 'half a thought';
    actor.mark(CHANGING);
    await actor.type(text);
    actor.mark({ ...idle('idle: with a draft'), mayClose: false });
    await hold(holdMs);
    actor.mark(CHANGING);
    await actor.keys(actor.specimen.clearKeys);
    if (!(await until(async () => !(await actor.screen()).includes(text), 5000))) {
      throw new NotReached('the draft could not be taken back');
    }
    actor.mark(AFTER);
  },
};

function busy(state: string, verb: string): Scene {
  return async (actor, { holdMs }) => {
    const tag = await actor.order(verb, seconds(holdMs), working(state));
    actor.mark(AFTER, await turnEnd(actor, tag));
  };
}

function tool(state: string, program: (props: Props) => string): Scene {
  return async (actor, props) => {
    const tag = await actor.order('run', `${program(props)} ${seconds(props.holdMs)}`, working(state));
    await toolCalled(actor, tag).catch(unreached(actor, tag));
    actor.mark(AFTER, await turnEnd(actor, tag));
  };
}

async function dialog(
  actor: Actor,
  { holdMs }: Props,
  verb: string,
  argument: string,
  expected: Dialog | undefined,
  truth: Truth,
): Promise<void> {
  if (!expected) throw new NotReached('this agent has no such dialog');
  const tag = await actor.order(verb, argument, working(`working: before ${truth.waitingFor}`));
  const call = await toolCalled(actor, tag).catch(unreached(actor, tag));
  actor.mark(CHANGING, call.endedAt ?? Date.now());
  await actor.reach(expected);
  actor.mark(truth, call.endedAt ?? Date.now());
  await hold(holdMs);
  actor.mark(CHANGING);
  await actor.keys(expected.keys);
  const next = await goesOn(actor, tag, call);
  actor.mark(working(`working: after ${truth.waitingFor}`), next.receivedAt);
  actor.mark(AFTER, await turnEnd(actor, tag));
}

// The turn went by without what the scene is about: its end is still worth knowing.
function unreached(actor: Actor, tag: string): (error: unknown) => Promise<never> {
  return async (error) => {
    actor.mark(AFTER, await turnEnd(actor, tag));
    throw error;
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)}`;
}
