import type { JsonArray, JsonMember, JsonNode } from './json-text.ts';

/** The handlers of one entry. */
export function handlersOf(group: JsonNode): readonly JsonNode[] {
  return elementsOf(memberOf(group, 'hooks'));
}

/** The list of handlers of one entry, as a place. */
export function handlerListOf(group: JsonNode): JsonArray | null {
  const list = memberOf(group, 'hooks');
  return list?.kind === 'array' ? list : null;
}

/** The last member of that name, as JSON.parse would have it. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

/** All members of an object, doubles too; none where it is something else. */
export function membersOf(node: JsonNode): readonly JsonMember[] {
  return node.kind === 'object' ? node.members : [];
}

/** What a node says, without its places. */
export function plainValue(node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.elements.map(plainValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]));
}

/** The elements of a list; none where it is something else. */
export function elementsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.elements : [];
}

/** A string, or a comment: inside of a string nothing is one. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[ \t]*(?:\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)/g;

/** The comments in a part of a text that begins and ends outside of strings and comments, with the blanks before them. A line's end belongs to its comment. */
export function commentsIn(text: string, from: number, to: number): { start: number; end: number }[] {
  return [...text.slice(from, to).matchAll(TOKEN)]
    .filter(([token]) => !token.startsWith('"'))
    .map(({ 0: token, index }) => ({ start: from + index, end: from + index + token.length }));
}
