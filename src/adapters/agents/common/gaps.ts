import type { AgentGap } from '../../../ports/agent.ts';

/** What is missing, by its code: nothing where there is no text. */
export function gapsIn(
  texts: {
    readonly [Code in AgentGap['code']]?: string | false | null | undefined;
  },
): AgentGap[] {
  return Object.entries(texts).flatMap(([code, text]) =>
    text ? [{ code: code as AgentGap['code'], text }] : [],
  );
}
