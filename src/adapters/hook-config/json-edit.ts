import { endOf, type JsonNode, type JsonText } from './json-text.ts';
import type { TextEdit } from './text-edit.ts';

type Layout = ReturnType<typeof layoutOf>;

/** Adds members or elements at the end of a container, written as the rest of the file is. */
export function addItems(json: JsonText, container: JsonNode, added: readonly AddedItem[]): TextEdit[] {
  if (added.length === 0) return [];
  const { text } = json;
  const layout = layoutOf(json);
  const last = container.children?.at(-1);
  const close = endOf(container) - 1;
  const rest = blankBefore(text, close);
  const comma = last === undefined ? [] : [{ at: endOf(last), removed: '', added: ',' }];
  if (text.slice(container.offset, close).includes('\n')) {
    const indent = indentOfItems(text, container, layout);
    const body = added.map((item) => `${layout.newline}${indent}${written(item, indent, layout)}`);
    return [...comma, { at: rest, removed: '', added: body.join(',') }];
  }
  if (last === undefined && !layout.isOneLine) {
    const outer = indentAt(text, container.offset);
    const indent = outer + layout.step;
    const body = added.map((item) => `${layout.newline}${indent}${written(item, indent, layout)}`);
    const blank = text.slice(rest, close);
    return [{ at: rest, removed: blank, added: `${body.join(',')}${layout.newline}${outer}` }];
  }
  const space = last !== undefined && /[:,] /.test(text.slice(container.offset, close)) ? ' ' : '';
  const body = added.map(({ key, value }) => named(key, JSON.stringify(value), ':'));
  return [...comma, { at: rest, removed: '', added: space + body.join(`,${space}`) }];
}

/** What is added: a member of an object with its key, or an element of an array without. */
export interface AddedItem {
  readonly key?: string;
  readonly value: unknown;
  /** A line for each of its members; otherwise it is written on one line. */
  readonly isSpread?: boolean;
}

/** Takes items out of a container, with the commas that are too many then; comments stay. */
export function removeItems(json: JsonText, container: JsonNode, isRemoved: (index: number) => boolean) {
  const { text, commas } = json;
  const items = container.children ?? [];
  const edits: TextEdit[] = [];
  let survivors = 0;
  for (const [index, item] of items.entries()) {
    if (!isRemoved(index)) {
      survivors += 1;
      continue;
    }
    // The comma before it, as long as something stands before; else the one behind.
    const before = items[survivors > 0 ? index - 1 : index] ?? item;
    const comma = before === items.at(-1) ? undefined : commas.find((at) => at >= endOf(before));
    const behind = Math.max(endOf(item), comma === undefined ? 0 : comma + 1);
    edits.push(...cutItem(json, item, behind));
    if (comma !== undefined) edits.push(cut(text, comma, comma + 1));
  }
  if (survivors === 0 && edits.length > 0) {
    const close = endOf(container) - 1;
    const rest = blankBefore(text, close);
    // Not the end of a line that a comment stands on.
    const isBare = commentsIn(json, container).length === 0;
    const last = items.at(-1);
    if (isBare && last !== undefined && rest === endOf(last)) edits.push(cut(text, rest, close));
  }
  return edits;
}

function written({ key, value, isSpread }: AddedItem, indent: string, { newline, step }: Layout): string {
  if (!isSpread) return named(key, onOneLine(value), ': ');
  const members = Object.entries(value as object).map(
    ([name, part]) => `${newline}${indent}${step}${named(name, onOneLine(part), ': ')}`,
  );
  return named(key, `{${members.join(',')}${newline}${indent}}`, ': ');
}

function named(key: string | undefined, value: string, colon: string): string {
  return key === undefined ? value : `${JSON.stringify(key)}${colon}${value}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, part]) => named(key, onOneLine(part), ': '));
  return `{ ${members.join(', ')} }`;
}

/** Before the blanks; but a line end stays where more follows, since a comment may stand before it. */
function cutStart(text: string, start: number, behind: number): number {
  const blank = blankBefore(text, start);
  const isLastOnLine = /^[ \t]*(?:[\r\n}\]]|$)/.test(text.slice(behind, behind + 200));
  return text.slice(blank, start).includes('\n') && !isLastOnLine ? start : blank;
}

/** Somebody's comment inside of an item stays, on the line on which it is. */
function cutItem(json: JsonText, item: JsonNode, behind: number): TextEdit[] {
  const { text } = json;
  const [start, end] = [item.offset, endOf(item)];
  const comments = commentsIn(json, item);
  if (comments.length === 0) return [cut(text, cutStart(text, start, behind), end)];
  const from = [start, ...comments.map((comment) => comment.end)];
  const to = [...comments.map((comment) => comment.start), end];
  return from.map((at, index) => cut(text, at, to[index] ?? end));
}

function commentsIn({ comments }: JsonText, node: JsonNode): JsonText['comments'] {
  return comments.filter(({ start, end }) => start >= node.offset && end <= endOf(node));
}

function cut(text: string, from: number, to: number): TextEdit {
  return { at: from, removed: text.slice(from, to), added: '' };
}

/** How a file is laid out, with one step of its indentation: what is added to it follows that. */
function layoutOf({ text, root }: JsonText) {
  const newline = /\r\n/.test(text) ? '\r\n' : '\n';
  const [first] = root.children ?? [];
  const isOneLine = first !== undefined && !text.slice(root.offset, endOf(root)).includes('\n');
  const step = first === undefined ? null : ownIndent(text, first.offset);
  return { newline, step: step ?? '  ', isOneLine };
}

function indentOfItems(text: string, container: JsonNode, { step }: Layout): string {
  const [first] = container.children ?? [];
  const own = first === undefined ? null : ownIndent(text, first.offset);
  return own ?? indentAt(text, container.offset) + step;
}

/** The blanks before it, when nothing else stands before it on its line. */
function ownIndent(text: string, at: number): string | null {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*$/.test(before) && text.lastIndexOf('\n', at - 1) >= 0 ? before : null;
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Where the blanks before a place begin. */
function blankBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /[ \t\r\n]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}
