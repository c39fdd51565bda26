import { receiptOf } from './kept.ts';

/** A copy of a conversation, as far as it matters for the room that all of them take. */
export interface CopySighting {
  /** The name of its folder: its receipt, and which of the receipt's conversations it is. */
  readonly name: string;
  readonly kind: string;
  readonly keptAt: number;
  /** What it takes on the disk. */
  readonly bytes: number;
  /** Every byte of it is also in the agent's own files, or in a later copy. */
  readonly isElsewhere: boolean;
}

/** A copy that has to go, and whether nothing else has that conversation. */
export interface Leaving {
  readonly copy: CopySighting;
  readonly isOnly: boolean;
}

/**
 * Which copies go so that the rest keeps to the bound: first those that something else has too, the agent or a later copy, the
 * oldest first; then, where that is not enough, the oldest of the others. Those of the same receipt as the newest come last,
 * in the same order: that receipt is about to promise them. The one that was just made stays.
 */
export function leavingFor(copies: readonly CopySighting[], newest: string, maxBytes: number): Leaving[] {
  let over = copies.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const others = copies.filter(({ name }) => name !== newest);
  const isPromised = ({ name }: CopySighting) => receiptOf(name) === receiptOf(newest);
  const inOrder = others.sort(
    (a, b) =>
      Number(isPromised(a)) - Number(isPromised(b)) ||
      Number(b.isElsewhere) - Number(a.isElsewhere) ||
      a.keptAt - b.keptAt,
  );
  const leaving: Leaving[] = [];
  for (const copy of inOrder) {
    if (over <= 0) break;
    leaving.push({ copy, isOnly: !copy.isElsewhere });
    over -= copy.bytes;
  }
  return leaving;
}
