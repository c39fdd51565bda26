import type { AgentGap } from '../../../ports/agent.ts';

type Code = AgentGap['code'];

/** What is missing, by its code: nothing where there is no text. */
export function gapsIn(texts: Partial<Record<Code, string | false | null | undefined>>): AgentGap[] {
  return Object.entries(texts).flatMap(([code, text]) => (text ? [{ code: code as Code, text }] : []));
}
