/** A pane of a server. */
export interface NamedPane {
  readonly serverPid: number;
  readonly paneId: string;
}

/** The pane that an environment names; asking tmux itself which session this is answers with an arbitrary one. */
export function paneNamedIn(env: Readonly<Record<string, string | undefined>>): NamedPane | null {
  const serverPid = serverNamedIn(env);
  return env.TMUX_PANE !== undefined && serverPid !== null ? { serverPid, paneId: env.TMUX_PANE } : null;
}

/** The process of the server that an environment names: `TMUX` is "socket,server pid,session". */
export function serverNamedIn({ TMUX }: Readonly<Record<string, string | undefined>>): number | null {
  const serverPid = Number(TMUX?.split(',').at(-2));
  return serverPid > 0 ? serverPid : null;
}
