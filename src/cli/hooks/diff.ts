import { maskSecrets } from '../../core/text/mask-secrets.ts';
import type { Line } from '../render/line.ts';
import { line } from '../render/line.ts';

const CONTEXT = 3;
// Above this many cells the middle is shown as replaced as a whole: right, only longer.
const MAX_CELLS = 4_000_000;

interface Step {
  /** `\\` remarks on the line before it. */
  readonly mark: ' ' | '-' | '+' | '\\';
  readonly text: string;
}

/**
 * What turns one text into the other, as a unified diff; null stands for no file. Settings hold tokens: what looks like one is
 * masked, so that a diff can be shown to others.
 */
export function unifiedDiff(path: string, before: string | null, after: string | null): string[] {
  if (before === after) return [];
  const steps = stepsBetween(linesOf(before), linesOf(after));
  return [
    `--- ${before === null ? '/dev/null' : path}`,
    `+++ ${after === null ? '/dev/null' : path}`,
    ...hunks(steps).flatMap(({ first, last }) => [
      hunkHead(steps, first, last),
      ...steps.slice(first, last).map(({ mark, text }) => mark + maskSecrets(text)),
    ]),
  ];
}

/** The diff for a person. */
export function diffLines(diff: readonly string[]): Line[] {
  return diff.map((text) => {
    // A control character would be shown by its name; for these two that helps nobody.
    const shown = text.replaceAll('\t', '    ').replace(/\r$/, '');
    if (text.startsWith('--- ') || text.startsWith('+++ ')) return line(shown, 'heading');
    if (text.startsWith('@@')) return line(shown, 'calm');
    if (text.startsWith('+')) return line(shown, 'good');
    return line(shown, text.startsWith('-') ? 'alarm' : undefined);
  });
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n No newline at end of file`];
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const same = (text: string): Step => ({ mark: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, endBefore), after.slice(start, endAfter)),
    ...before.slice(endBefore).map(same),
  ].flatMap(endMarkApart);
}

// By the longest common subsequence; these texts are small.
function middle(before: readonly string[], after: readonly string[]): Step[] {
  const removed = (text: string): Step => ({ mark: '-', text });
  const added = (text: string): Step => ({ mark: '+', text });
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return [...before.map(removed), ...after.map(added)];
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [one = '', other = ''] = [before[row], after[column]];
    if (row < before.length && column < after.length && one === other) {
      steps.push({ mark: ' ', text: one });
      row += 1;
      column += 1;
    } else if (
      row < before.length &&
      (column === after.length || at(row + 1, column) >= at(row, column + 1))
    ) {
      steps.push(removed(one));
      row += 1;
    } else {
      steps.push(added(other));
      column += 1;
    }
  }
  return steps;
}

function endMarkApart({ mark, text }: Step): Step[] {
  const [own = '', remark] = text.split('\n');
  return remark === undefined
    ? [{ mark, text }]
    : [
        { mark, text: own },
        { mark: '\\', text: remark },
      ];
}

function hunks(steps: readonly Step[]): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  for (const [index, { mark }] of steps.entries()) {
    if (mark === ' ' || mark === '\\') continue;
    const previous = found.at(-1);
    const end = Math.min(steps.length, index + 1 + CONTEXT);
    // A remark belongs to the line before it.
    const last = steps[end]?.mark === '\\' ? end + 1 : end;
    if (previous !== undefined && index - CONTEXT <= previous.last) previous.last = last;
    else found.push({ first: Math.max(0, index - CONTEXT), last });
  }
  return found;
}

function hunkHead(steps: readonly Step[], first: number, last: number): string {
  const range = (mark: '-' | '+') => {
    const counts = (part: readonly Step[]) =>
      part.filter((step) => step.mark === ' ' || step.mark === mark).length;
    const length = counts(steps.slice(first, last));
    const start = counts(steps.slice(0, first)) + (length === 0 ? 0 : 1);
    return `${mark}${start},${length}`;
  };
  return `@@ ${range('-')} ${range('+')} @@`;
}
