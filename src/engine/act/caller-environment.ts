import { words } from '../../core/text/words.ts';
import type { CallerEnvironment } from '../../ports/actuator.ts';
import { STARTED_VARIABLE } from '../../ports/command-runner.ts';

/** tmux and rollcall give every session its own. */
export const OWN_VARIABLES: ReadonlySet<string> = new Set(
  words('TMUX TMUX_PANE ROLLCALL_RUN ROLLCALL_OWNER'),
);

/** These are about the terminal of the caller, which is not the program's, and about the caller's own last command. */
const TERMINAL: readonly string[] = words(`
  TERM TERMCAP COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID
  COLUMNS LINES WINDOWID GPG_TTY SSH_TTY STY VTE_VERSION KITTY_WINDOW_ID _
`);

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

/**
 * Variables by which agents, tmux and rollcall mark what they start. A session that is started from inside an agent must
 * not inherit them: it would pass for that agent's child, or for another session. Exact names: the settings of a person
 * share their beginnings (CLAUDE_CONFIG_DIR, CLAUDE_CODE_USE_BEDROCK, CODEX_HOME, OPENCODE_CONFIG …) and stay. TMUX and
 * TMUX_PANE are not among them, since tmux gives every pane its own.
 */
const LEAKED: Readonly<Record<string, readonly string[]>> = {
  // A Claude Code that inherits the child marker keeps neither transcript nor status (2.1.325).
  'Claude Code, in tools and hooks': words(`
    CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_EXECPATH CLAUDE_CODE_MESSAGING_SOCKET
    CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_SESSION_ATTENDED CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SESSION_KIND
    CLAUDE_EFFORT CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_PLUGIN_DATA CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR AI_AGENT
  `),
  // rollcall itself takes a process with CODEX_THREAD_ID for a command of that conversation.
  'Codex, in tools': words(`
    CODEX_CI CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_SESSION_ID CODEX_THREAD_ID CODEX_TOOL_CALL_ID
    CODEX_VERSION
  `),
  'Gemini CLI, in tools and hooks': words(
    'GEMINI_CLI GEMINI_CWD GEMINI_PLANS_DIR GEMINI_PROJECT_DIR GEMINI_SESSION_ID',
  ),
  'opencode, in tools': ['AGENT', 'OPENCODE', 'OPENCODE_PID'],
  // The lock of whoever calls is not the new session's, and what bears the mark of a command is ended with that command.
  // The new program has a run and an owner of its own; a server must have none, or all its panes pass for one session's.
  rollcall: ['ROLLCALL_LOCK_FD', STARTED_VARIABLE, 'ROLLCALL_RUN', 'ROLLCALL_OWNER'],
};

export const LEAKED_VARIABLES: readonly string[] = Object.values(LEAKED).flat();

/** An environment that a tmux server may have, since it hands it to every session it will ever have. */
export function withoutLeaked<T>(env: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LEAKED_VARIABLES.includes(name)));
}

/** What must not reach a new program, less what its caller sets on purpose. */
export function leakedBeside(env: Readonly<Record<string, string>>): readonly string[] {
  return LEAKED_VARIABLES.filter((name) => !Object.hasOwn(env, name));
}
