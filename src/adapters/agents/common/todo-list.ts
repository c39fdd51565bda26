import { visible } from '../../../core/text/visible.ts';
import type { OwnTodo } from '../../../ports/gate.ts';
import { asObject } from '../../files/json-object.ts';
import type { LastCall } from './last-call.ts';

const MAX_LENGTH = 200;
const MAX_ITEMS = 1000;

/** What is left of a list; null where it is no list of things with a text and a state. */
export function openIn(
  list: unknown,
  { text, closed }: { readonly text: string; readonly closed: readonly string[] },
): string[] | null {
  if (!Array.isArray(list) || list.length > MAX_ITEMS) return null;
  const open: string[] = [];
  for (const each of list) {
    const item = asObject(each);
    const words = item?.[text];
    if (typeof words !== 'string' || typeof item?.status !== 'string') return null;
    if (!closed.includes(item.status)) open.push(visible(words, MAX_LENGTH));
  }
  return open;
}

/** The list as the last call left it; without any call there is nothing on it. */
export function todoOf(last: LastCall<readonly string[]>): OwnTodo {
  if (last.state === 'unknown') return unknownTodo(last.text);
  return { state: 'read', open: last.state === 'none' ? [] : last.value };
}

export function unknownTodo(text: string): OwnTodo {
  return { state: 'unknown', text: visible(text, MAX_LENGTH) };
}
