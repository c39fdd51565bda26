import type { Json, JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, textIn } from '../ledger/json-values.ts';

/** What a receipt says of one conversation. Nothing of what was said in it. */
export interface KeptConversation {
  readonly paneId: string | null;
  readonly agent: string;
  readonly conversation: string;
  /** What a resume would read was read after the agent had left: it is there, whole, and has a turn. */
  readonly isProven: boolean;
  /** What stands against that; null where it is proven. */
  readonly lacks: string | null;
  /** SHA-256 of the index of its copy; null where none is kept. */
  readonly copy: string | null;
  readonly copyBytes: number | null;
  /** Why none is kept. */
  readonly notKept: string | null;
  /** When its agent deletes it by itself, where there is no copy; null: no such end is known. */
  readonly goodUntil: number | null;
}

/** The name of the copy of one conversation of a receipt. */
export function copyName(receipt: string, index: number): string {
  return `${receipt}-${index}`;
}

/** The receipt that a copy is of, by the name of the copy. */
export function receiptOf(name: string): string {
  return name.replace(/-\d+$/, '');
}

/** What a receipt says, read; earlier versions said nothing. */
export function keptIn(body: JsonObject): KeptConversation[] {
  return listIn(body.conversations).flatMap((value) => oneIn(objectIn(value)));
}

function oneIn(one: JsonObject | null): KeptConversation[] {
  const [agent, conversation] = [textIn(one?.agent), textIn(one?.conversation)];
  if (one === null || agent === null || conversation === null) return [];
  const text = (value: Json | undefined) => textIn(value);
  return [
    {
      ...{ agent, conversation, paneId: text(one.paneId), isProven: one.isProven === true },
      ...{ lacks: text(one.lacks), copy: text(one.copy), copyBytes: numberIn(one.copyBytes) },
      ...{ notKept: text(one.notKept), goodUntil: numberIn(one.goodUntil) },
    },
  ];
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
