import { kind, MINUTE, SECOND, time } from '../kind.ts';
import type { Spot } from '../spot.ts';

/** Flags of a command that is killed on the way: in place of its step of that number. */
function place({ killAt, install }: { readonly killAt?: number; readonly install?: string }) {
  return {
    ...(killAt !== undefined && killAt > 0 && { killAt }),
    ...(install !== undefined && install !== '' && { install }),
  };
}

/** People mean sessions by their names; programs by their keys. */
function wordFor({ session, cast }: Spot, label: unknown, isByName: boolean): string | null {
  if (isByName) return cast.nameOf(String(label));
  return session?.key ?? cast.keyOf(String(label));
}

const KILLED = 0.15;

/** What people and programs declare about a session. */
const declare = kind(
  (rng) => ({
    command: rng.pick([
      'hold',
      'hold',
      'unhold',
      'unhold',
      'retain',
      'retain',
      'release',
      'complete',
      'complete',
      'cancel',
      'fail',
      'adopt',
    ] as const) as string,
    forMs: time(rng, 10 * SECOND, 3 * 60 * MINUTE),
    byName: rng.chance(0.3),
    killAt: rng.chance(KILLED) ? rng.int(1, 200) : 0,
    install: '',
  }),
  ({ command, forMs, byName, killAt, install, session: label }, spot) => {
    const session = wordFor(spot, label, byName);
    if (session === null || spot.machine.isDown) return false;
    const { rollcalls } = spot;
    const at = place({ killAt, install });
    if (command === 'retain') rollcalls.run('retain', { session, forMs }, at);
    else if (command === 'release') rollcalls.run('retain', { session, release: true }, at);
    else if (command === 'cancel') rollcalls.run('complete', { session, cancel: true }, at);
    else if (command === 'fail') rollcalls.run('complete', { session, outcome: 'failed' }, at);
    else rollcalls.run(command as 'hold', { session }, at);
  },
);

/** A person ends one, or lets it sleep. */
const ends = kind(
  (rng) => ({
    command: rng.pick(['close', 'close', 'hibernate'] as const) as string,
    how: rng.pick(['plain', 'plain', 'plain', 'automatic', 'force', 'despite', 'quickly'] as const) as string,
    byName: rng.chance(0.3),
    killAt: rng.chance(KILLED) ? rng.int(1, 600) : 0,
    install: '',
  }),
  ({ command, how, byName, killAt, install, session: label }, spot) => {
    const session = wordFor(spot, label, byName);
    if (session === null || spot.machine.isDown) return false;
    const isSleep = command === 'hibernate';
    spot.rollcalls.end(
      {
        ...{ sessions: [session], isToSleep: isSleep },
        ...(how === 'automatic' && { automatic: true }),
        ...(how === 'force' && !isSleep && { force: true }),
        ...(how === 'despite' && { despite: ['recent-input'] as const }),
        ...(how === 'quickly' && { timeoutMs: 10 * SECOND }),
      },
      place({ killAt, install }),
    );
  },
);

/** A schedule closes all that is due. */
const endsDue = kind(
  (rng) => ({
    command: rng.pick(['close', 'hibernate'] as const) as string,
    killAt: rng.chance(KILLED) ? rng.int(1, 900) : 0,
  }),
  ({ command, killAt }, { rollcalls, machine }) => {
    if (machine.isDown) return false;
    rollcalls.end({ sessions: [], due: true, isToSleep: command === 'hibernate' }, place({ killAt }));
  },
);

/** Somebody brings one back. */
const brings = kind(
  (rng) => ({
    command: rng.pick(['wake', 'reopen', 'reopen', 'restore'] as const) as string,
    byName: rng.chance(0.3),
    killAt: rng.chance(KILLED) ? rng.int(1, 400) : 0,
  }),
  ({ command, byName, killAt, session: label }, spot) => {
    const word = wordFor(spot, label, byName);
    if (word === null || spot.machine.isDown) return false;
    const at = place({ killAt });
    if (command === 'wake') spot.rollcalls.run('wake', { session: word }, at);
    else if (command === 'restore') spot.rollcalls.run('restore', { yes: true }, at);
    else spot.rollcalls.run('reopen', { receipt: word, onCollision: 'suffix' }, at);
  },
);

export const COMMANDS = { declare, ends, 'ends-due': endsDue, brings } as const;
