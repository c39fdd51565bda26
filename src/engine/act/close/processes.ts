import type { FoundAgent } from '../../../core/close/ended.ts';
import { markLife } from '../../../core/lock/life.ts';
import { type ProcessMark, processKey } from '../../../core/sight/identity.ts';
import type { Acted, Terms } from '../../../ports/actuator.ts';
import { awake, type Hands } from '../hands.ts';
import { nobodysAmong } from './nobodys.ts';
import type { CloseTimings } from './order.ts';

/** Those that still live, or may: a zombie does not, nor what the kernel knows nothing of. */
export function livingOf<M extends ProcessMark>({ processes }: Hands, marks: readonly M[]): M[] {
  if (marks.length === 0) return [];
  const table = processes.sense();
  return marks.filter((mark) => {
    const life = markLife(mark, table);
    return life === 'alive' || (life === 'unknown' && !processes.isProvenGone(mark));
  });
}

/** Waits until all of them are really gone, and gives those that are not when the time is up. */
export async function untilGone<M extends ProcessMark>(
  hands: Hands,
  marks: readonly M[],
  withinMs: number,
  { pollMs }: CloseTimings,
): Promise<M[]> {
  const endsAt = awake(hands) + withinMs;
  for (;;) {
    const living = livingOf(hands, marks);
    if (living.length === 0 || awake(hands) >= endsAt) return living;
    await hands.wait(pollMs);
  }
}

/** Ends them politely. A stopped process takes a signal only once it goes on. */
export function terminateAll(hands: Hands, marks: readonly ProcessMark[]): string[] {
  return [...signalAll(hands, marks, 'SIGTERM'), ...signalAll(hands, marks, 'SIGCONT')];
}

export function killAll(hands: Hands, marks: readonly ProcessMark[]): string[] {
  return signalAll(hands, marks, 'SIGKILL');
}

/** tmux takes no longer list in one command. */
const MOST_AT_ONCE = 200;

/**
 * Sends a signal only if the whole session stands as it did: tmux compares and sends in one step. A tmux that cannot send it
 * compares right before. Tells in words what was refused.
 */
export async function signalIf(
  hands: Hands,
  terms: Terms,
  marks: readonly ProcessMark[],
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<Exclude<Acted, { state: 'done' }> | { readonly state: 'done'; readonly refused: string[] }> {
  const { tmux } = hands;
  if (tmux.signal !== null && marks.length <= MOST_AT_ONCE) {
    const { free, refused } = sortOut(hands, marks, signal);
    const acted = await (free.length === 0 ? tmux.confirm(terms) : tmux.signal(terms, free, signal));
    return acted.state === 'done' ? { ...acted, refused } : acted;
  }
  const confirmed = await tmux.confirm(terms);
  if (confirmed.state !== 'done') return confirmed;
  const refused = signal === 'SIGTERM' ? terminateAll(hands, marks) : killAll(hands, marks);
  return { state: 'done', refused };
}

/** What was refused, in words. */
function signalAll(
  hands: Hands,
  marks: readonly ProcessMark[],
  signal: 'SIGTERM' | 'SIGCONT' | 'SIGKILL',
): string[] {
  const { free, refused } = sortOut(hands, marks, signal);
  const sent = free.flatMap((mark) => {
    const answer = hands.processes.signal(mark, signal);
    return answer.state === 'refused' ? [refusal(mark, signal, answer.text)] : [];
  });
  return [...refused, ...sent];
}

/** Which of them can be signalled. A process that belongs to no session by now gets no signal, although it was listed. */
function sortOut(
  hands: Hands,
  marks: readonly ProcessMark[],
  signal: string,
): { readonly free: ProcessMark[]; readonly refused: string[] } {
  const nobodys = nobodysAmong(hands, marks);
  const free: ProcessMark[] = [];
  const refused: string[] = [];
  for (const { pid, startTicks } of marks) {
    const mark = { pid, startTicks };
    const why = nobodys.get(processKey(mark));
    const found = hands.processes.reach(mark);
    if (found.state === 'gone') continue;
    if (found.state === 'refused') refused.push(refusal(mark, signal, found.text));
    else if (why !== undefined) refused.push(refusal(mark, signal, `not sent: ${why}`));
    else free.push(mark);
  }
  return { free, refused };
}

function refusal({ pid }: ProcessMark, signal: string, text: string): string {
  return `${signal} to pid ${pid}: ${text}`;
}

/** The agents of which no process lives any more. */
export function goneOf(hands: Hands, agents: readonly FoundAgent[]): FoundAgent[] {
  return agents.filter(({ processes }) => livingOf(hands, processes).length === 0);
}
