import { counted } from '../text/counted.ts';
import type { Aftermath } from './aftermath.ts';
import type { BacktestClose, WithAftermath } from './result.ts';

/** How amounts are put. */
export interface SummaryWords {
  bytes(amount: number): string;
  duration(ms: number): string;
}

/** One line by which somebody judges whether to let the reaper act. `notKnown`: how many went while nobody looked. */
export function summaryOf(closes: readonly WithAftermath<BacktestClose>[], words: SummaryWords) {
  const of = (kind: Aftermath['kind']) => closes.filter(({ aftermath }) => aftermath.kind === kind).length;
  const [went, still, notKnown] = [of('went-unused'), of('still-there'), of('went-unseen')];
  const uses = closes.flatMap(({ aftermath }) =>
    aftermath.kind === 'used-again' ? [aftermath.afterMs] : [],
  );
  const memoryBytes = closes.reduce((sum, close) => sum + (close.memoryBytes ?? 0), 0);
  const parts = [
    ...(went + still > 0 ? [`${went + still} never used again${detail(went, still)}`] : []),
    ...(uses.length > 0 ? [usedWords(uses, words)] : []),
    ...(notKnown > 0 ? [`${notKnown} went while nobody looked`] : []),
  ];
  const head = `would have closed ${counted(closes.length, 'session')}, ${words.bytes(memoryBytes)}`;
  const text = closes.length === 0 ? 'would have closed nothing' : `${head}; ${parts.join(', ')}`;
  const [sessions, usedAgain, neverUsedAgain] = [closes.length, uses.length, went + still];
  return { sessions, memoryBytes, usedAgain, neverUsedAgain, notKnown, text };
}

// A record that ends early proves less.
function detail(went: number, still: number): string {
  if (still === 0) return '';
  return went === 0 ? ' up to the end of the record' : ` (${still} of them still there at its end)`;
}

function usedWords(uses: readonly number[], words: SummaryWords): string {
  const first = words.duration(Math.min(...uses));
  return uses.length === 1
    ? `1 used again after ${first}`
    : `${uses.length} used again, the first after ${first}`;
}
