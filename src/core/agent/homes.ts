/** Where agents keep their own files; any of these may be anywhere. */
export const HOMES: readonly string[] = [
  ...['HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'OPENCODE_DB'],
  ...['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
];

/** The folders that an agent's environment names for its own files. */
export function homesIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return HOMES.flatMap((name) => (env[name]?.startsWith('/') ? [env[name]] : []));
}
