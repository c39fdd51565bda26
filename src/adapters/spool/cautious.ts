import type { HookMeaning } from '../../core/agent/hook-memory.ts';

/**
 * What may be believed of an event whose payload was not read in full: that the agent is busy, never that it is done.
 * What was lost may be the very list of what still runs.
 */
export function cautious({
  conversation,
  turn,
  isPrompt,
  waitingFor,
  background,
  subagentStarted,
}: HookMeaning): HookMeaning {
  return {
    conversation,
    ...(turn === 'running' && { turn }),
    ...(isPrompt && { isPrompt }),
    ...(waitingFor && { waitingFor }),
    ...(background && { background }),
    ...(subagentStarted !== undefined && { subagentStarted }),
  };
}
