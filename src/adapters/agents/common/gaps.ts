import type { AgentGap } from '../../../ports/agent.ts';

type Code = AgentGap['code'];

/** What is missing, by its code: nothing where there is no text. */
export function gapsIn(texts: Partial<Record<Code, string | false | null | undefined>>): AgentGap[] {
  const gaps: AgentGap[] = [];
  // Every look asks this of every agent.
  for (const code of Object.keys(texts) as Code[]) {
    const text = texts[code];
    if (text) gaps.push({ code, text });
  }
  return gaps;
}
