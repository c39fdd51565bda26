import { EXIT_CODES } from '../core/exit-codes.ts';
import { WRITER } from '../core/lock/subject.ts';
import type { SessionEntry } from '../core/sight/roll.ts';
import type { Ran } from '../engine/act/run.ts';
import type { FirstEnd } from '../engine/act/run-see.ts';
import { holdingText, writerBusy } from '../engine/act/trouble.ts';
import { Failure, failureOf } from './failure.ts';

type NotStarted = Exclude<Ran, { readonly state: 'started' }>;

/** Why there is no session, or none that can be relied on. */
export function runFailure(
  ran: NotStarted,
  { now, isLocked, isPlain }: { readonly now: number; readonly isLocked: boolean; readonly isPlain: boolean },
): Failure {
  switch (ran.state) {
    case 'name-taken':
      return nameTaken(ran.name, ran.by, now);
    case 'died':
      return died(ran.name, ran.end, isLocked, isPlain);
    case 'failed':
      return new Failure('failed', `it was not started: ${ran.text}`, {
        hint: 'hint' in ran ? ran.hint : 'nothing was started',
      });
    case 'undecided':
      return new Failure('failed', `tmux gave no answer: ${ran.text}`, {
        hint: 'it may be there all the same; the next rollcall command finds out and records it',
      });
    case 'unrecorded':
      return new Failure('failed', `'${ran.name}' was started, but the ledger: ${ran.error.message}`, {
        hint: `${ran.error.hint}; the next rollcall command records it`,
      });
    case 'busy':
      if (ran.by.name === WRITER.name) return failureOf(writerBusy(ran.by, now));
      return new Failure('refused', `another rollcall is starting a session of this name`, {
        details: [holdingText(ran.by, now)],
        hint: 'try again, or take another --name',
      });
  }
}

/** How a program ended, in half a sentence. */
export function endText({ exitStatus, exitSignal }: Pick<FirstEnd, 'exitStatus' | 'exitSignal'>): string {
  if (exitSignal !== null) return `signal ${exitSignal}`;
  return exitStatus === null ? 'nobody knows how' : `exit status ${exitStatus}`;
}

function nameTaken(name: string, by: SessionEntry | null, now: number): Failure {
  const hint = 'take another --name, or --on-collision=suffix';
  if (by === null) return new Failure('refused', `there is a session '${name}' already`, { hint });
  const who = [
    ...(by.owner === null ? [] : [`owner ${by.owner}`]),
    ...(by.role === null ? [] : [`role ${by.role}`]),
    ...(by.task === null ? [] : [`task ${by.task}`]),
    `${by.activity}, ${by.lifecycle}`,
    `made ${new Date(Math.min(by.createdAt, now)).toISOString()}`,
  ];
  return new Failure('refused', `there is a session '${name}' already: ${who.join(', ')}`, {
    hint,
    candidates: [{ key: by.key, name: by.name, sessionId: by.sessionId, server: by.server.label }],
  });
}

/** What shells and env(1) say of a program that they do not find. */
const NO_SUCH_PROGRAM = 127;
const NOT_FOUND = 'no such program was found on your PATH: write its whole path';
const BY_HAND = 'run the program by hand to see why';
const WITHOUT_ADDITIONS = 'where a flag is not known to it, start it with --plain';

function died(name: string, end: FirstEnd | null, isLocked: boolean, isPlain: boolean): Failure {
  const isLockHeld = isLocked && end?.exitStatus === EXIT_CODES['lock-held'].code;
  const message = `'${name}' ended at once: ${end === null ? 'nothing is left of it' : endText(end)}`;
  return new Failure(isLockHeld ? 'lock-held' : 'failed', message, {
    details: end?.screen ?? [],
    hint: end?.exitStatus === NO_SUCH_PROGRAM ? NOT_FOUND : isPlain ? BY_HAND : WITHOUT_ADDITIONS,
  });
}
