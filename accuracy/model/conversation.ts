import type { Order } from './order.ts';
import { lastOrder } from './order.ts';

/** What a request tells, whatever its dialect. */
export interface Conversation {
  readonly order: Order | null;
  /** The tags of every order that the request carries, oldest first: the turns that the agent remembers. */
  readonly remembered: readonly string[];
  /** Tool results since the order, or since the agent was last kept going. */
  readonly results: number;
  /** How often a stop gate has kept the agent going since the order. */
  readonly nudges: number;
  readonly tools: readonly string[];
  /** The model that was asked for. */
  readonly model: string;
  readonly isStreaming: boolean;
  /** The answer must be an object of this shape: a title, a check, never a turn. */
  readonly schema: JsonSchema | null;
}

export interface JsonSchema {
  readonly properties?: Readonly<
    Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>
  >;
}

/** One message of the conversation, reduced to what counts here. */
export type Turn = { readonly kind: 'prompt'; readonly text: string } | { readonly kind: 'result' };

// What the gate tells an agent to do about it; nothing else that reaches the model names this command.
const NUDGE = /rollcall gate finish/;

/** Finds the order that the conversation is at, how often the gate spoke since, and how many tool results followed. */
export function whereItStands(
  turns: readonly Turn[],
): Pick<Conversation, 'order' | 'remembered' | 'results' | 'nudges'> {
  let order: Order | null = null;
  const remembered = new Set<string>();
  let results = 0;
  let nudges = 0;
  for (const turn of turns) {
    if (turn.kind === 'result') {
      results += 1;
      continue;
    }
    const next = lastOrder(turn.text);
    if (next) {
      order = next;
      remembered.add(next.tag);
      nudges = 0;
    } else if (NUDGE.test(turn.text)) nudges += 1;
    else continue;
    results = 0;
  }
  return { order, remembered: [...remembered], results, nudges };
}

/** What the model calls a conversation: two of them seldom have the same name. */
export function nameFor(order: Order | null): string {
  return order ? `Scripted work ${order.tag}` : 'Scripted work';
}

/** An object that fits a schema; what it says does not matter, except that the user speaks next. */
export function fillSchema({ properties = {} }: JsonSchema, text: string): string {
  const value = (name: string, type: string): unknown => {
    if (/int|number/.test(type)) return 1;
    if (type === 'boolean') return false;
    if (type === 'array') return [];
    if (type === 'object') return {};
    return name === 'next_speaker' ? 'user' : text;
  };
  const entries = Object.entries(properties).map(([name, { type, enum: choices }]) => [
    name,
    name === 'next_speaker' ? 'user' : (choices?.[0] ?? value(name, String(type).toLowerCase())),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
