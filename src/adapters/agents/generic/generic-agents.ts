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

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*|sh|bash|dash|zsh)$/;
// Where installers put a program's link or its wrapper script; `local` is Claude Code's own.
const BIN_FOLDER = /\/(?:bin|\.bin|sbin|local)\/[^/]+$/;
// Flags of the interpreters that take the next word.
const TAKES_A_WORD = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '-C',
  '--conditions',
  '--env-file',
  '-W',
  '-X',
  '-o',
  '-O',
]);

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
  const script = scriptOf(argv);
  if (script === undefined) return false;
  if (argv[1] === '-m' && first.startsWith('python')) return programs.includes(script);
  const isLink = BIN_FOLDER.test(script) && programs.includes(programName(script));
  return isLink || packages.some((name) => script.includes(`/node_modules/${name}/`));
}

function scriptOf(argv: readonly string[]): string | undefined {
  return argv.find(
    (word, index) => index > 0 && !word.startsWith('-') && !TAKES_A_WORD.has(argv[index - 1] ?? ''),
  );
}
