/** A variable that is kept of an agent's environment, because without it the agent would be another one. */
interface Kept {
  readonly name: string | RegExp;
  readonly why: string;
}

/**
 * What is kept of an agent's environment. Everything else is not: keys and tokens live there, PATH belongs to the login,
 * and what an agent or tmux sets by itself is set again.
 */
export const KEPT_ENVIRONMENT: readonly Kept[] = [
  { name: 'HOME', why: 'agents keep settings and conversations below it' },
  { name: 'SHELL', why: 'agents run their tools with it' },
  { name: 'LANG', why: 'language and encoding of what it prints' },
  { name: /^LC_[A-Z]+$/, why: 'the same, part by part' },
  { name: 'TZ', why: 'times in what it writes' },
  { name: 'COLORTERM', why: 'how it draws' },
  { name: 'EDITOR', why: 'what it opens for a person' },
  { name: 'VISUAL', why: 'the same' },
  { name: /^XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME$/, why: 'where opencode and others keep conversations' },
  { name: 'CLAUDE_CONFIG_DIR', why: 'where Claude Code keeps settings and conversations' },
  { name: 'CODEX_HOME', why: 'where Codex keeps settings and conversations' },
  { name: 'GEMINI_CLI_HOME', why: 'where Gemini CLI keeps settings and conversations' },
  { name: /^OPENCODE_CONFIG(?:_DIR)?$/, why: 'which settings opencode reads' },
  { name: 'ROLLCALL_CONFIG', why: 'which settings rollcall reads when the agent calls it' },
];

/** The part of an environment that is kept. */
export function keptEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}

function isKept(name: string): boolean {
  return KEPT_ENVIRONMENT.some((kept) =>
    typeof kept.name === 'string' ? kept.name === name : kept.name.test(name),
  );
}
