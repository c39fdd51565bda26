import { isDeepStrictEqual } from 'node:util';
import { scriptFor } from '../../core/agent/hook-command.ts';
import type { WantedHooks } from './hook-agents.ts';
import { JSON_HOOKS } from './hook-agents.ts';
import type { JsonMember, JsonNode } from './json-text.ts';
import { handlersOf, memberOf, membersOf, plainValue } from './json-value.ts';

/** What tells our entries from others. */
export type Owner = Pick<WantedHooks, 'agent' | 'script' | 'earlierScripts'>;

/**
 * A handler that calls our script for the event that it stands in: as rollcall writes it, or with something of the user's in
 * it. One that calls a script elsewhere is ours only if it is to the letter what rollcall writes; otherwise it is somebody
 * else's that looks alike.
 */
export function ownHandler(handler: JsonNode, event: string, owner: Owner): OwnHandler | null {
  const command = memberOf(handler, 'command');
  const script = scriptFor(plainValue(command), owner.agent, event);
  if (script === null || command === undefined) return null;
  const value = plainValue(handler);
  const isAsWritten = versionsOf(event, String(plainValue(command)), owner).some(({ hooks }) =>
    isDeepStrictEqual(hooks[0], value),
  );
  const isKnown = script === owner.script || owner.earlierScripts?.includes(script);
  return isAsWritten || isKnown ? { script, command, isAsWritten } : null;
}

export interface OwnHandler {
  readonly script: string;
  readonly command: JsonNode;
  /** Nothing of the user's is in it. */
  readonly isAsWritten: boolean;
}

/** Whether an entry is what rollcall writes, and nothing else: everything around our handlers too. */
export function isWhollyOurs(group: JsonNode | undefined, event: string, owner: Owner): boolean {
  if (group === undefined) return false;
  const handlers = handlersOf(group);
  if (handlers.length === 0 || !handlers.every((each) => ownHandler(each, event, owner)?.isAsWritten))
    return false;
  const [version] = versionsOf(event, '', owner);
  return isDeepStrictEqual({ ...version, hooks: [] }, { ...(plainValue(group) as object), hooks: [] });
}

/** A name that stands twice in an entry with a call of ours: only the last one counts for the agent, and the first is the user's. */
export function doubledMember(group: JsonNode, event: string, owner: Owner): JsonMember | null {
  const lists = membersOf(group).filter(({ key }) => key === 'hooks');
  const handlers = lists.flatMap(({ value }) => (value.kind === 'array' ? value.elements : []));
  const isOurs = (handler: JsonNode) =>
    membersOf(handler).some(({ value }) => scriptFor(plainValue(value), owner.agent, event) !== null);
  const own = handlers.filter(isOurs);
  if (own.length === 0) return null;
  return [group, ...own].map(secondOf).find((member) => member !== null) ?? null;
}

function secondOf(node: JsonNode): JsonMember | null {
  const members = membersOf(node);
  const isSecond = ({ key }: JsonMember, index: number) =>
    members.findIndex((other) => other.key === key) !== index;
  return members.find(isSecond) ?? null;
}

/** An entry as this version writes it, and as others did: which event ends a turn was not always told. */
function versionsOf(event: string, command: string, { agent }: Owner): Version[] {
  const { group } = JSON_HOOKS[agent];
  return [false, true].map((isStop) => group(event, command, isStop) as Version);
}

interface Version {
  readonly hooks: readonly object[];
}
