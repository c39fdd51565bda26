import type { CloseDocument } from '../../../src/contract/close-schemas.ts';
import type { Input, OperationName, Output } from '../../../src/contract/operations.ts';
import { createLook } from '../../../src/engine/look/create-look.ts';
import type { At } from '../../../src/operations/at.ts';
import { type Endings, endSessions } from '../../../src/operations/end.ts';
import { Failure } from '../../../src/operations/failure.ts';
import { RUNS } from '../../../src/operations/runs.ts';
import { withHands } from '../../../src/operations/with-hands.ts';
import { ledger } from '../ports/ledger.ts';
import type { Given } from './given.ts';
import { handsOf, socketOf } from './hands.ts';
import { partsOf } from './parts.ts';

/** How a command ended. One that was killed never answers. */
export type Ran<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly code: string; readonly text: string };

/** Runs an operation as its command does, in a process of its own, which ends with it. */
export function runOperation<N extends OperationName>(
  given: Given,
  name: N,
  input: Input<N>,
): Promise<Ran<Output<N>>> {
  const at = atOf(given, [name, JSON.stringify(input)]);
  return answered(given, name, (): Promise<Output<N>> => RUNS[name](input, at));
}

/** `rollcall close --due`, `rollcall close A B`, and the same for hibernate. */
export function runEndings(given: Given, asked: Endings): Promise<Ran<CloseDocument>> {
  const name = asked.isToSleep ? 'hibernate' : 'close';
  return answered(given, name, () => endSessions(asked, atOf(given, [name, ...asked.sessions])));
}

async function answered<T>({ seat }: Given, command: string, work: () => Promise<T>): Promise<Ran<T>> {
  const ran = await work().then(
    (value): Ran<T> => ({ state: 'done', value }),
    (error: unknown): Ran<T> => failed(error),
  );
  // The dead answer nobody.
  if (!seat.isAlive) return new Promise(() => {});
  const answer = ran.state === 'done' ? 'done' : `${ran.code}: ${ran.text}`;
  seat.machine.journal.note(seat.by, { what: 'answered', seat: seat.name, command, answer });
  seat.end();
  return ran;
}

function failed(error: unknown): Extract<Ran<never>, { state: 'failed' }> {
  if (error instanceof Failure) return { state: 'failed', code: error.code, text: error.message };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { state: 'failed', code: name, text: message };
}

function atOf(given: Given, argv: readonly string[]): At {
  const { seat, settings } = given;
  const { machine } = seat;
  const nobody = () => Promise.reject(new Error('nobody has that in this world'));
  return {
    now: () => machine.clock.at,
    policies: settings.policy,
    shell: '/bin/bash',
    argv: ['rollcall', ...argv],
    cwd: machine.home,
    isCallerHere: true,
    isBrief: true,
    look: createLook(partsOf(given), (ms) => seat.wait(ms)),
    socketOf: (word) => socketOf(seat, word),
    readLog: nobody,
    seeMachine: nobody,
    entries: async () => ledger(seat, 'cli').read().entries,
    ...{ doctor: nobody, gate: nobody, history: nobody },
    withHands: (work) => withHands(async () => handsOf(given, 'cli'), work),
  };
}
