import type { AnyKind } from '../kind.ts';
import { AGENT_EVENTS } from './agents.ts';
import { BREAKDOWNS } from './breakdowns.ts';
import { COMMANDS } from './commands.ts';
import { PEOPLE } from './people.ts';
import { ROLLCALLS } from './rollcalls.ts';
import { SESSIONS } from './sessions.ts';
import { SHOWN } from './shown.ts';
import { SURROUNDINGS } from './surroundings.ts';

const ALL = {
  ...SESSIONS,
  ...AGENT_EVENTS,
  ...SHOWN,
  ...PEOPLE,
  ...COMMANDS,
  ...SURROUNDINGS,
  ...BREAKDOWNS,
  ...ROLLCALLS,
} as const;

/** The name of a kind of event. */
export type KindName = keyof typeof ALL;

/** Everything that can happen in a world. */
export const KINDS: Readonly<Partial<Record<string, AnyKind>>> & Readonly<Record<KindName, AnyKind>> = ALL;
