import { programName } from '../../../core/program.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';

/** How one kind of agent is started: the exact names of its program, and the package its script lives in. */
interface Signature {
  readonly kind: string;
  readonly programs: readonly string[];
  readonly packages: readonly string[];
}

const SIGNATURES: readonly Signature[] = [
  { kind: 'claude', programs: ['claude'], packages: ['@anthropic-ai/claude-code'] },
  { kind: 'codex', programs: ['codex'], packages: ['@openai/codex'] },
  { kind: 'gemini', programs: ['gemini'], packages: ['@google/gemini-cli'] },
  { kind: 'opencode', programs: ['opencode'], packages: ['opencode-ai'] },
  { kind: 'copilot', programs: ['copilot'], packages: ['@github/copilot'] },
  { kind: 'cursor-agent', programs: ['cursor-agent'], packages: [] },
  { kind: 'amp', programs: ['amp'], packages: ['@sourcegraph/amp'] },
  { kind: 'aider', programs: ['aider'], packages: [] },
  { kind: 'goose', programs: ['goose'], packages: [] },
];

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;

/** Agents that are recognised by their process alone: what they are doing is not known from that. */
export const genericAgents: readonly AgentAdapter[] = SIGNATURES.map((signature) => ({
  kind: signature.kind,
  recognises: (argv) => isStartedBy(argv, signature),
}));

// Either the program itself, or an interpreter that runs its link in a bin folder or a script of its package. Words that
// merely contain the name (a folder, a file that is edited) are never at these places.
function isStartedBy(argv: readonly string[], { programs, packages }: Signature): boolean {
  const first = programName(argv[0] ?? '');
  if (programs.includes(first)) return true;
  if (!INTERPRETER.test(first)) return false;
  const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
  if (script === undefined) return false;
  return (
    programs.includes(programName(script)) ||
    packages.some((name) => script.includes(`/node_modules/${name}/`))
  );
}
