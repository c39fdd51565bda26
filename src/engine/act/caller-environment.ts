import type { CallerEnvironment } from '../../ports/actuator.ts';
import { LEAKED_VARIABLES } from './leaked-variables.ts';

/** tmux and rollcall give every session its own. */
export const OWN_VARIABLES: ReadonlySet<string> = new Set([
  ...['TMUX', 'TMUX_PANE', 'ROLLCALL_RUN', 'ROLLCALL_OWNER'],
]);

/** These are about the terminal of the caller, which is not the program's, and about the caller's own last command. */
const TERMINAL: readonly string[] = [
  ...['TERM', 'TERMCAP', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TERM_SESSION_ID'],
  ...['COLUMNS', 'LINES', 'WINDOWID', 'GPG_TTY', 'SSH_TTY', 'STY', 'VTE_VERSION', 'KITTY_WINDOW_ID', '_'],
];

/** tmux sets them for every pane. PATH is none of them here: tmux takes it from its client, which has the caller's. */
const BY_TMUX: readonly string[] = ['PWD', 'SHELL'];

/**
 * What agents set for their tools, so that nothing waits for a person, known by the mark beside it (Claude Code 2.1.325,
 * Codex 0.166, Gemini CLI 0.61). In a session of its own somebody may be asked, and the value is the agent's own, not the user's.
 */
const FOR_TOOLS: readonly (readonly [mark: string, name: string, value: string])[] = [
  ['CLAUDECODE', 'GIT_EDITOR', 'true'],
  ['CODEX_CI', 'NO_COLOR', '1'],
  ['CODEX_CI', 'PAGER', 'cat'],
  ['CODEX_CI', 'GIT_PAGER', 'cat'],
  ['CODEX_CI', 'GH_PAGER', 'cat'],
  ['GEMINI_CLI', 'PAGER', 'cat'],
  ['GEMINI_CLI', 'GIT_PAGER', 'cat'],
];

/** The caller's environment, as a program in a session of its own may have it. */
export function callerEnvironment(env: Readonly<Record<string, string | undefined>>): CallerEnvironment {
  const forTools = FOR_TOOLS.filter(([mark, name, value]) => env[mark] !== undefined && env[name] === value);
  const leftToServer = [...TERMINAL, ...BY_TMUX, ...forTools.map(([, name]) => name)];
  const untaken = new Set([...leftToServer, ...OWN_VARIABLES, ...LEAKED_VARIABLES]);
  const taken = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== '' && !untaken.has(entry[0]),
  );
  return { values: Object.fromEntries(taken), leftToServer };
}
