import type { ActedDocument } from '../contract/acted-schema.ts';
import type { Input, Wish } from '../contract/operations.ts';
import { toActedDocument } from '../contract/roll-document.ts';
import type { SessionEntry } from '../core/sight/roll.ts';
import { type Ran, run as start } from '../engine/act/run.ts';
import type { RunWish } from '../engine/act/run-wish.ts';
import type { At } from './at.ts';
import { Failure } from './failure.ts';
import { runFailure } from './run-failure.ts';
import { toRunWish } from './run-wish.ts';

export interface StartedRun extends Omit<Extract<Ran, { readonly state: 'started' }>, 'state'> {
  readonly entry: SessionEntry;
}

/** What whoever asked does on the way. */
export interface RunHeard {
  /** Puts the program behind a lock, which it takes itself in its pane. */
  readonly lock?: {
    behind(argv: readonly string[], cwd: string): readonly string[];
    /** Throws where it is held. */
    require(cwd: string): Promise<void>;
  };
  /** Variables that the program does not get: they are not UTF-8. */
  onLeftOut?(names: readonly string[]): void;
}

export async function run(input: Input<'run'>, at: At): Promise<ActedDocument> {
  const { entry, host } = await startProgram(input, at);
  return toActedDocument('started', entry, host);
}

/** Starts a session, and looks whether its program lives. */
export function startProgram(
  asked: Wish<'run'>,
  at: Pick<At, 'withHands' | 'now' | 'cwd' | 'isBrief'>,
  { lock, onLeftOut }: RunHeard = {},
): Promise<StartedRun> {
  return at.withHands(async (hands) => {
    const wish: RunWish = toRunWish(hands, at.cwd, asked, lock?.behind);
    await lock?.require(wish.cwd);
    const left = hands.brokenVariables.filter((name) => !Object.hasOwn(wish.env, name));
    if (wish.caller !== undefined && left.length > 0) onLeftOut?.(left);
    const ran = await start(hands, wish);
    if (ran.state !== 'started') {
      const isPlain = asked.plain || wish.agent === null;
      throw runFailure(ran, { now: at.now(), isLocked: lock !== undefined, isPlain });
    }
    const { key, name, entry } = ran;
    if (entry === null) {
      throw new Failure(
        'failed',
        `'${name}' was started, and is not seen since: its tmux server gives no answer, or its pane was moved`,
        { hint: `it is recorded with the key ${key}` },
      );
    }
    if (at.isBrief) return { ...ran, entry };
    // Once more: its claims are known since it was recorded.
    const roll = await hands.look({ servers: [entry.server.socketPath], isWithClosed: true });
    return { ...ran, entry: roll.sessions.find((one) => one.key === key) ?? entry };
  });
}
