import { describe, expect, it } from 'vitest';
import { processTree } from '../../../src/cli/explain/panes.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';

const tree = (...pairs: [pid: number, parentPid: number][]) =>
  processTree(pairs.map(([pid, parentPid]) => ({ pid, parentPid }) as ProcessNote)).map(
    ({ note, depth }) => `${'-'.repeat(depth)}${note.pid}`,
  );

describe('the process tree', () => {
  it('puts children under their parents, in the order given', () => {
    expect(tree([4, 2], [1, 0], [2, 1], [3, 1], [5, 2])).toEqual(['1', '-2', '--4', '--5', '-3']);
  });

  it('keeps processes whose parent is not among them at the left', () => {
    expect(tree([1, 0], [9, 77])).toEqual(['1', '9']);
  });

  it('shows each process once, also where parents run in a circle', () => {
    expect(tree([1, 2], [2, 1], [3, 3]).map((text) => text.replace(/-/g, ''))).toEqual(['1', '2', '3']);
  });

  it('takes a chain of thousands without running out of stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, index): [number, number] => [index + 1, index]);
    expect(processTree(chain.map(([pid, parentPid]) => ({ pid, parentPid }) as ProcessNote))).toHaveLength(
      20_000,
    );
  });
});
