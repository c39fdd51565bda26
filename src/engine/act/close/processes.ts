import { processKey } from '../../../core/identity.ts';
import { markLife } from '../../../core/lock/life.ts';
import type { Hands } from '../hands.ts';
import { nobodysAmong } from './nobodys.ts';
import type { CloseTimings } from './timings.ts';

/** A process by its identity. */
export interface Mark {
  readonly pid: number;
  readonly startTicks: number;
}

/** Those that still live; a zombie does not. */
export function livingOf<M extends Mark>(hands: Hands, marks: readonly M[]): M[] {
  if (marks.length === 0) return [];
  const table = hands.processes.sense();
  return marks.filter((mark) => markLife(mark, table) !== 'gone');
}

/** Waits until all of them are really gone, and gives those that are not when the time is up. */
export async function untilGone<M extends Mark>(
  hands: Hands,
  marks: readonly M[],
  withinMs: number,
  { pollMs }: CloseTimings,
): Promise<M[]> {
  const endsAt = hands.now() + withinMs;
  for (;;) {
    const living = livingOf(hands, marks);
    if (living.length === 0 || hands.now() >= endsAt) return living;
    await hands.wait(pollMs);
  }
}

/** Ends them politely. A stopped process takes a signal only once it goes on. */
export function terminateAll(hands: Hands, marks: readonly Mark[]): string[] {
  return [...signalAll(hands, marks, 'SIGTERM'), ...signalAll(hands, marks, 'SIGCONT')];
}

export function killAll(hands: Hands, marks: readonly Mark[]): string[] {
  return signalAll(hands, marks, 'SIGKILL');
}

/** What was refused, in words. Whatever is nobody's by now gets no signal, whoever listed it. */
function signalAll(
  hands: Hands,
  marks: readonly Mark[],
  signal: 'SIGTERM' | 'SIGCONT' | 'SIGKILL',
): string[] {
  const nobodys = nobodysAmong(hands, marks);
  return marks.flatMap(({ pid, startTicks }) => {
    const why = nobodys.get(processKey({ pid, startTicks }));
    if (why !== undefined) return [`${signal} to pid ${pid}: not sent: ${why}`];
    const sent = hands.processes.signal({ pid, startTicks }, signal);
    return sent.state === 'refused' ? [`${signal} to pid ${pid}: ${sent.text}`] : [];
  });
}
