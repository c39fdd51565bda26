import { scriptOf } from '../../core/agent/hook-command.ts';
import type { JsonArray, JsonNode, JsonObject } from './json-text.ts';

/** One handler of ours in a settings file. */
export interface OwnCall {
  readonly event: string;
  readonly script: string;
  readonly groupIndex: number;
  readonly handlerIndex: number;
  /** The whole entry that it stands in, as a value. */
  readonly group: unknown;
  /** No entry of its event stands behind it. */
  readonly isLast: boolean;
}

/** Every handler of ours among the hooks, in the order in which they stand. */
export function ownCalls(hooks: JsonObject | null): OwnCall[] {
  return (hooks?.members ?? []).flatMap(({ key: event, value }) =>
    elementsOf(value).flatMap((group, groupIndex, all) =>
      handlersOf(group).flatMap((handler, handlerIndex) => {
        const script = scriptOf(plainValue(memberOf(handler, 'command')));
        const isLast = groupIndex === all.length - 1;
        return script === null
          ? []
          : [{ event, script, groupIndex, handlerIndex, group: plainValue(group), isLast }];
      }),
    ),
  );
}

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

/** What a node says, without its places. */
export function plainValue(node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.elements.map(plainValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]));
}

function elementsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.elements : [];
}
