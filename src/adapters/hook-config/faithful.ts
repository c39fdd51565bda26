import { JSON_HOOKS, type WantedHooks } from './hook-agents.ts';
import { elementsOf, type JsonNode, type JsonText, membersOf, parseJsonText } from './json-text.ts';

/** What a handler runs that was ours, and stays because the user has put something into it. */
export const IDLE_COMMAND = 'true';

/** One value at the end of a path, in the order of the text. A list's elements all have the path of the list and `[]`. */
interface Leaf {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether a text with our hooks says the same as the one without them, apart from values that rollcall writes: nothing
 * of the user's came or went, and the order is the same. Unlike the editing it does not look for entries of ours, but
 * compares each value and comment, so that each finds mistakes of the other.
 */
export function isFaithful(withOurs: string, without: string, wanted: WantedHooks): boolean {
  const { hasComments } = JSON_HOOKS[wanted.agent].dialect;
  const [all, theirs] = [withOurs, without].map((text) =>
    // An empty file counts as an empty object.
    parseJsonText(text.trim() === '' ? '{}' : text, { comments: hasComments }),
  );
  if (all?.state !== 'parsed' || theirs?.state !== 'parsed') return false;
  const more = beyond(leavesIn(all), leavesIn(theirs));
  return more !== null && isAllWritten(more, wanted) && commentsOf(all) === commentsOf(theirs);
}

/** What the first has beyond the second; null where the second is not all in the first, in this order. */
function beyond(all: readonly Leaf[], theirs: readonly Leaf[]): Leaf[] | null {
  const more: Leaf[] = [];
  const left: Leaf[] = [];
  let at = 0;
  for (const leaf of all) {
    const next = theirs[at];
    const taken = left.findIndex((each) => isSame(each, leaf));
    if (next !== undefined && isSame(leaf, next)) at += 1;
    else if (taken >= 0) left.splice(taken, 1);
    else more.push(leaf);
    if (next === undefined || isSame(leaf, next) || !isLeftOf(leaf, next)) continue;
    // Perhaps it was the user's all along, and comes later: then that one is not missing.
    left.push(next);
    at += 1;
  }
  return at === theirs.length ? more : null;
}

/** Whether rollcall writes all of these, and no more of each than there are commands of ours. */
function isAllWritten(leaves: readonly Leaf[], wanted: WantedHooks): boolean {
  const eventOf = ({ path }: Leaf) => path.split('/')[2];
  return leaves.every((leaf) => {
    const commands = leaves.filter(
      (each) => each.path.endsWith('/command') && eventOf(each) === eventOf(leaf),
    );
    const count = leaves.filter(({ path }) => path === leaf.path).length;
    return isWritten(leaf, wanted) && count <= commands.length;
  });
}

function isSame(one: Leaf, other: Leaf): boolean {
  return one.path === other.path && one.text === other.text;
}

/** What stays of a value of ours: an empty list of handlers, or a handler that does nothing. */
function isLeftOf(leaf: Leaf, left: Leaf): boolean {
  if (left.text === '[]') return HANDLERS.test(left.path) && leaf.path.startsWith(`${left.path}/[]/`);
  const isIdle = left.text === JSON.stringify(IDLE_COMMAND) && left.path === leaf.path;
  return isIdle && leaf.path.endsWith('/command') && leaf.text.includes('/rollcall/hook.sh');
}

const HANDLERS = /^\/hooks\/[^/]+\/\[\]\/hooks$/;
const OURS = /^\/hooks\/([^/]+)\/\[\]\/(?:(matcher)|hooks\/\[\]\/(name|type|command|timeout))$/;

/** Whether rollcall, of any version, writes this value at this place. */
function isWritten({ path, text }: Leaf, { agent }: WantedHooks): boolean {
  const [, event = '', matcher, key = matcher ?? ''] = OURS.exec(path) ?? [];
  if (key === 'command') return text.endsWith(`/rollcall/hook.sh' ${agent} ${event}"`);
  return [false, true].some((isStop) => {
    const group = JSON_HOOKS[agent].group(event, '', isStop) as Record<string, unknown>;
    const [handler] = group.hooks as readonly Record<string, unknown>[];
    return key !== '' && text === JSON.stringify((matcher === undefined ? handler : group)?.[key]);
  });
}

function leavesIn({ root }: JsonText): Leaf[] {
  // Nobody can tell who made a list of hooks that is empty without ours.
  const isEmptyList = ({ path, text }: Leaf) =>
    /^(?:|\/hooks|\/hooks\/[^/]+)$/.test(path) && (text === '[]' || text === '{}');
  return leavesOf(root, '').filter((leaf) => !isEmptyList(leaf));
}

function leavesOf(node: JsonNode, path: string): Leaf[] {
  if (node.type !== 'array' && node.type !== 'object') return [{ path, text: JSON.stringify(node.value) }];
  const parts = [
    ...elementsOf(node).map((value) => ({ key: '[]', value })),
    ...membersOf(node).map(({ key, value }) => ({ key: key.replaceAll('/', '//'), value })),
  ];
  if (parts.length === 0) return [{ path, text: node.type === 'array' ? '[]' : '{}' }];
  return parts.flatMap(({ key, value }) => leavesOf(value, `${path}/${key}`));
}

function commentsOf({ text, comments }: JsonText): string {
  return comments.map(({ start, end }) => text.slice(start, end).trim()).join('\n');
}
