import type { JsonObject } from './json-text.ts';
import { elementsOf, handlersOf, plainValue } from './json-value.ts';
import type { Owner } from './own-entry.ts';
import { isWhollyOurs, ownHandler } from './own-entry.ts';

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
export function ownCalls(hooks: JsonObject | null, owner: Owner): OwnCall[] {
  return (hooks?.members ?? []).flatMap(({ key: event, value }) =>
    elementsOf(value).flatMap((group, groupIndex, all) =>
      handlersOf(group).flatMap((handler, handlerIndex) => {
        const own = ownHandler(handler, event, owner);
        if (own === null) return [];
        const { script, isAsWritten } = own;
        const command = String(plainValue(own.command));
        const isShared = !isWhollyOurs(group, event, owner);
        const isLast = groupIndex === all.length - 1;
        const place = { event, groupIndex, handlerIndex, group: plainValue(group), isLast };
        return [{ ...place, script, command, isShared, isChanged: !isAsWritten }];
      }),
    ),
  );
}
