import * as v from 'valibot';
import { described } from '../../schema/described.ts';

/** What a receipt says of one conversation. Nothing of what was said in it. */
export const keptConversation = v.object({
  paneId: described(v.nullable(v.string()), 'null where only its start is known'),
  agent: v.string(),
  conversation: v.string(),
  isProven: described(
    v.boolean(),
    'what a resume would read was read after the agent had left: it is whole and has a turn',
  ),
  lacks: described(v.nullable(v.string()), 'what prevents a resume; null where it is proven'),
  copy: described(v.nullable(v.string()), 'SHA-256 of the index of its copy; null where none is kept'),
  copyBytes: described(v.nullable(v.number()), 'what the copy takes on the disk'),
  notKept: described(v.nullable(v.string()), 'why there is no copy'),
  goodUntil: described(
    v.nullable(described(v.number(), 'epoch milliseconds')),
    'without a copy: when the agent deletes it by itself; null: it is good as long as the copy is kept, or no end is known',
  ),
});

export type KeptConversation = Readonly<v.InferOutput<typeof keptConversation>>;

/** The name of the copy of one conversation of a receipt. */
export function copyName(receipt: string, index: number): string {
  return `${receipt}-${index}`;
}

/** The receipt that a copy is of, by the name of the copy. */
export function receiptOf(name: string): string {
  return name.replace(/-\d+$/, '');
}

/** How long a receipt is good, in words; null where there is nothing to say against it. */
export function doubtOf({ isProven, lacks, notKept, goodUntil }: KeptConversation): string | null {
  if (!isProven) return `its conversation may not be resumable: ${lacks}`;
  if (notKept === null) return null;
  const until = goodUntil === null ? '' : `; its agent keeps it until ${dayOf(goodUntil)}`;
  return `no copy of its conversation is kept: ${notKept}${until}`;
}

/** A day, as everybody reads it. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}
