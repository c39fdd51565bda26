import type { AgentGap } from '../../../ports/agent.ts';

/** What is missing, by its code: nothing where there is no text. */
export function gapsIn(
  texts: {
    readonly [Code in AgentGap['code']]?: string | false | null | undefined;
  },
): AgentGap[] {
  const gaps: AgentGap[] = [];
  for (const code of Object.keys(texts) as AgentGap['code'][]) {
    const text = texts[code];
    if (text) gaps.push({ code, text });
  }
  return gaps;
}
