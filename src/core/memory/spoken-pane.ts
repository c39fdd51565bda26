import { type Json, listIn, objectIn } from '../ledger/json.ts';
import type { ProcessMark } from '../sight/identity.ts';
import type { RememberedInput } from './shell-input.ts';

/** One pane that a completion speaks for, with the process that tmux had started in it when that was said. */
export interface SpokenPane extends ProcessMark {
  readonly paneId: string;
  /** When it was said of this pane. */
  readonly at: number;
  /** The agents in it; of those that an agent started itself, only that one. */
  readonly agents: readonly ProcessMark[];
  readonly conversation?: string;
  /** Its agent was at rest already: no turn of it is part of the work. */
  readonly isAtRest?: true;
  /** How much its shell had been used. */
  readonly input?: RememberedInput;
}

/** Whom a recorded completion speaks for; undefined where an earlier version recorded it. */
export function spokenPanesIn(value: Json | undefined): readonly SpokenPane[] | undefined {
  if (value === undefined) return undefined;
  // What is not understood speaks for nothing.
  return listIn(value).flatMap((one) => spokenPaneIn(one) ?? []);
}

function spokenPaneIn(value: Json): SpokenPane | null {
  const { paneId, at, pid, startTicks, agents, conversation, isAtRest, input } = objectIn(value) ?? {};
  const root = startedIn({ pid, startTicks });
  if (typeof paneId !== 'string' || typeof at !== 'number' || root === null) return null;
  const used = inputIn(objectIn(input) ?? {});
  return {
    ...{ paneId, at, ...root },
    agents: listIn(agents).flatMap((one) => startedIn(objectIn(one) ?? {}) ?? []),
    ...(typeof conversation === 'string' && { conversation }),
    ...(isAtRest === true && { isAtRest }),
    ...(used && { input: used }),
  };
}

type Fields = { readonly [field: string]: Json | undefined };

function startedIn({ pid, startTicks }: Fields): ProcessMark | null {
  return typeof pid === 'number' && typeof startTicks === 'number' ? { pid, startTicks } : null;
}

function inputIn({ program, turns, observedAt, readAt, ...process }: Fields): RememberedInput | null {
  const shell = startedIn(process);
  const isWhole =
    shell !== null &&
    typeof program === 'string' &&
    typeof turns === 'string' &&
    typeof observedAt === 'number' &&
    typeof readAt === 'number';
  return isWhole ? { ...shell, program, observedAt, turns, readAt } : null;
}
