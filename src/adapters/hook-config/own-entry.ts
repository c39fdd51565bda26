import { isDeepStrictEqual } from 'node:util';
import { scriptFor } from '../../core/agent/hook-command.ts';
import { JSON_HOOKS, type WantedHooks } from './hook-agents.ts';
import { elementsOf, type JsonMember, type JsonNode, memberOf, membersOf, plainValue } from './json-text.ts';

/** What tells our entries from others. */
export type Owner = Pick<WantedHooks, 'agent' | 'script' | 'earlierScripts'>;

/** One handler of ours in a settings file. */
export interface OwnCall {
  readonly event: string;
  readonly script: string;
  readonly command: string;
  readonly groupIndex: number;
  readonly handlerIndex: number;
  /** The whole entry that it stands in, as a value. */
  readonly group: unknown;
  /** Something of the user's is in that entry. */
  readonly isShared: boolean;
  /** The handler itself is not as rollcall writes it. */
  readonly isChanged: boolean;
  /** No entry of its event stands behind it. */
  readonly isLast: boolean;
}

/** Every handler of ours among the hooks, in the order in which they stand. */
export function ownCalls(hooks: JsonNode, owner: Owner): OwnCall[] {
  return membersOf(hooks).flatMap(({ key: event, value }) =>
    elementsOf(value).flatMap((group, groupIndex, all) =>
      elementsOf(memberOf(group, 'hooks')).flatMap((handler, handlerIndex) => {
        const own = ownHandler(handler, event, owner);
        if (own === null) return [];
        return [
          {
            event,
            script: own.script,
            command: String(plainValue(own.command)),
            groupIndex,
            handlerIndex,
            group: plainValue(group),
            isShared: !isWhollyOurs(group, event, owner),
            isChanged: !own.isAsWritten,
            isLast: groupIndex === all.length - 1,
          },
        ];
      }),
    ),
  );
}

/**
 * A handler that calls our script for its event, as rollcall writes it or changed by the user. If it calls a script
 * elsewhere it is only ours if it is exactly what rollcall writes; else it is somebody else's that looks alike.
 */
export function ownHandler(handler: JsonNode, event: string, owner: Owner) {
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

/** Whether an entry is what rollcall writes, and nothing else: everything around our handlers too. */
export function isWhollyOurs(group: JsonNode | undefined, event: string, owner: Owner): boolean {
  if (group === undefined) return false;
  const handlers = elementsOf(memberOf(group, 'hooks'));
  if (handlers.length === 0 || !handlers.every((each) => ownHandler(each, event, owner)?.isAsWritten))
    return false;
  const [version] = versionsOf(event, '', owner);
  return isDeepStrictEqual({ ...version, hooks: [] }, { ...(plainValue(group) as object), hooks: [] });
}

/** A name that stands twice in an entry with a call of ours: only the last one counts for the agent, and the first is the user's. */
export function doubledMember(group: JsonNode, event: string, owner: Owner): JsonMember | null {
  const lists = membersOf(group).filter(({ key }) => key === 'hooks');
  const handlers = lists.flatMap(({ value }) => elementsOf(value));
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
function versionsOf(event: string, command: string, { agent }: Owner): { hooks: readonly object[] }[] {
  const { group } = JSON_HOOKS[agent];
  return [false, true].map((isStop) => group(event, command, isStop) as { hooks: readonly object[] });
}
