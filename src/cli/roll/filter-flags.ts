import { ACTIVITIES, LIFECYCLES } from '../../core/verdict/verdict.ts';
import type { Filter } from '../../operations/filter-sessions.ts';
import type { FlagValues } from '../frame/command.ts';
import { choices, list } from '../frame/flags.ts';

/** The filters that `roll` and `watch` share. */
export const FILTER_FLAGS = {
  lifecycle: choices(
    'LIST',
    LIFECYCLES,
    'Only sessions with one of these lifecycles: what may be done with them.',
  ),
  activity: choices('LIST', ACTIVITIES, 'Only sessions with one of these activities: what they are doing.'),
  agent: list(
    'KIND',
    'Only sessions with one of these agents (claude, codex …); none is for sessions without one.',
  ),
} as const;

/** The words that `roll` and `watch` take. */
export const PATTERNS = {
  placeholder: 'PATTERN',
  kind: 'session',
  min: 0,
  max: Number.POSITIVE_INFINITY,
  help: 'Only these sessions: a name, $id, %pane, key or LABEL:NAME, all exact, or a pattern with * ? [abc].',
} as const;

/** Brings flags and words into one filter. */
export function toFilter(
  flags: FlagValues<typeof FILTER_FLAGS>,
  words: readonly string[],
  servers: readonly string[],
): Filter {
  return {
    lifecycles: flags.lifecycle,
    activities: flags.activity,
    agents: flags.agent,
    servers,
    words,
  };
}
