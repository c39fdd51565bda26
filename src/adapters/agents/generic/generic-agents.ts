import type { AgentAdapter } from '../../../ports/agent.ts';
import { isStartedBy, type StartSignature } from '../common/started-by.ts';

const SIGNATURES: readonly (StartSignature & { readonly kind: string })[] = [
  { kind: 'copilot', programs: ['copilot'], packages: ['@github/copilot'] },
  { kind: 'cursor-agent', programs: ['cursor-agent'], packages: [] },
  { kind: 'amp', programs: ['amp'], packages: ['@sourcegraph/amp'] },
  { kind: 'aider', programs: ['aider'], packages: [] },
  { kind: 'goose', programs: ['goose'], packages: [] },
];

/** Agents that are recognised by their process alone: what they are doing is not known from that. */
export const genericAgents: readonly AgentAdapter[] = SIGNATURES.map((signature) => ({
  kind: signature.kind,
  recognises: (argv) => isStartedBy(argv, signature),
}));
