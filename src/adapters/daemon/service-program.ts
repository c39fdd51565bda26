/** What a service of the system runs. */
export interface ServiceProgram {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A line by which rollcall knows its own file again. */
  readonly marker: string;
}

export const SERVICE_MARKER = 'Written by rollcall up --install; rollcall up --uninstall removes it.';

// A service begins with hardly any variables: these tell where tmux, sessions, agents and settings are.
const CARRIED = [
  'PATH',
  'LANG',
  'TMUX_TMPDIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'ROLLCALL_CONFIG',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
] as const;

export function carriedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value]] : [];
    }),
  );
}
