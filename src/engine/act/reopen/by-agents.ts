import { agentBehind } from '../../../core/agent/agent-behind.ts';
import type { ResumeOf } from '../../../core/agent/resumption.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { withoutLauncher, withoutProgram } from '../../../core/restore/without-program.ts';
import type { RecogniseAgent } from '../../../core/sight/program.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import type { Hands } from '../hands.ts';

/** Why the words of a start may not be run again as they are; null where no agent would get a prompt by them. */
export function sendsAgain(agents: readonly AgentAdapter[], { agent, argv }: Reopening): string | null {
  if (agent !== null) {
    const isAble = agents.find(({ kind }) => kind === agent.kind)?.resume !== undefined;
    return isAble || (argv?.length ?? 0) < 2 ? null : `${agent.kind} cannot take up a conversation again`;
  }
  const behind = agentBehind(argv ?? [], recogniseBy(agents));
  return (
    behind &&
    `${behind} may have run behind another program or without a screen, so which conversation it had is not known`
  );
}

/** Without what only the user's word starts again. An agent that sleeps is woken by such a word, so it stays whole. */
export function onlyAgents(
  { agents, findProgram }: Pick<Hands, 'agents' | 'findProgram'>,
  found: Reopening,
  { isAsleep = false }: { readonly isAsleep?: boolean },
): Reopening {
  const bare = withoutProgram(found);
  const isProgram = (path: string) => findProgram(path, found.cwd, undefined) !== null;
  return isAsleep ? bare : withoutLauncher(bare, recogniseBy(agents), isProgram);
}

/** What a kept document is read with. */
export function meansBy(agents: readonly AgentAdapter[]) {
  return { resumeOf: resumeBy(agents), recogniseAgent: recogniseBy(agents) };
}

/** Asks the agents whether a command line is theirs. */
export function recogniseBy(agents: readonly AgentAdapter[]): RecogniseAgent {
  return (words) => agents.find((one) => one.recognises(words))?.kind ?? null;
}

/** Asks the agents how a conversation is brought back. */
export function resumeBy(agents: readonly AgentAdapter[]): ResumeOf {
  return (kind, conversation, starts) => {
    const adapter = agents.find((one) => one.kind === kind);
    if (adapter?.resume === undefined) return null;
    for (const { argv, cwd } of starts) {
      const at = placeIn(argv, adapter);
      if (at === null) continue;
      const own = { argv: argv.slice(at), ...(cwd !== undefined && { cwd }) };
      const resumed = adapter.resume(conversation, own);
      return resumed && { ...resumed, argv: [...argv.slice(0, at), ...resumed.argv] };
    }
    return conversation === null ? null : adapter.resume(conversation);
  };
}

// What launches it (`rollcall lock … -- AGENT`, a sandbox) stays in front of it: without that it might have more than it was given.
function placeIn(argv: readonly string[], adapter: AgentAdapter): number | null {
  const places = [0, argv.indexOf('--') + 1];
  return places.find((at) => adapter.recognises(argv.slice(at))) ?? null;
}
