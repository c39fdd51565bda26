/** A copy of a conversation, as far as it matters for the room that all of them take. */
export interface CopySighting {
  /** The name of its folder: its receipt, and which of the receipt's conversations it is. */
  readonly name: string;
  readonly kind: string;
  readonly conversation: string;
  readonly keptAt: number;
  /** What it takes on the disk. */
  readonly bytes: number;
  /** The agent still has it, at least as long as it was. */
  readonly isOriginalThere: boolean;
}

/** A copy that has to go, and whether nothing else has that conversation. */
export interface Leaving {
  readonly copy: CopySighting;
  readonly isOnly: boolean;
}

/**
 * Which copies go so that the rest keeps to the bound: first those that something else has too, the agent or a later copy, the
 * oldest first; then, where that is not enough, the oldest of the others. The one that was just made stays.
 */
export function leavingFor(copies: readonly CopySighting[], newest: string, maxBytes: number): Leaving[] {
  let over = copies.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const others = copies.filter(({ name }) => name !== newest).sort((a, b) => a.keptAt - b.keptAt);
  const isOnly = (copy: CopySighting) => !copy.isOriginalThere && !copies.some((one) => isLater(one, copy));
  const inOrder = [...others.filter((one) => !isOnly(one)), ...others.filter(isOnly)];
  const leaving: Leaving[] = [];
  for (const copy of inOrder) {
    if (over <= 0) break;
    leaving.push({ copy, isOnly: isOnly(copy) });
    over -= copy.bytes;
  }
  return leaving;
}

function isLater(one: CopySighting, copy: CopySighting): boolean {
  const isSame = one.kind === copy.kind && one.conversation === copy.conversation;
  return isSame && one.name !== copy.name && one.keptAt > copy.keptAt;
}
