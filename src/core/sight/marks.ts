/** From which pane of which server a process was started, as tmux wrote it into its environment. */
export interface PaneMark {
  readonly socketPath: string;
  readonly serverPid: number;
  /** The session that the pane was made in, as `$id`; the pane may have been moved since. */
  readonly sessionId: string;
  readonly paneId: string;
}

/** Where a process lives: containers have process numbers of their own. */
export interface ProcessPlace {
  readonly pidNamespace: string;
  /** Its number there. */
  readonly pidInside: number;
}

/** Where a process with a mark lives, seen from here; `isNamesake`: a tmux server with the number of the mark lives there. */
export type MarkPlace = { readonly at: 'here' } | { readonly at: 'elsewhere'; readonly isNamesake: boolean };

/**
 * Whether a mark may be one of this server's. Here the number is the server's alone, however its socket was spelled. In
 * another container it may be the number of another server: then it is, and without such a one the socket has to be the same,
 * as it is for what was started from a pane into a sandbox. In doubt it is this server's, which keeps a session.
 */
export function mayBeMarkOf(
  mark: Pick<PaneMark, 'socketPath' | 'serverPid'>,
  server: { readonly socketPath: string; readonly pid: number },
  place: MarkPlace,
): boolean {
  if (mark.serverPid !== server.pid) return false;
  return place.at === 'here' || (!place.isNamesake && mark.socketPath === server.socketPath);
}

/** What the environment of a process tells about who started it. Everything in it is only a claim. */
export interface Marks {
  readonly pane: PaneMark | null;
  /** The word of a `rollcall run`. */
  readonly run: string | null;
  /** Agent processes that say they started it. */
  readonly agentPids: readonly number[];
  /** Conversations that it was started for. */
  readonly conversations: readonly string[];
  /** The conversation of a Codex, which its daemon may still run. */
  readonly codexThread: string | null;
  /** A background session of Claude Code, its daemon, or something that either started. */
  readonly isInBackground: boolean;
  /** The agent by whose marks it is known, in words; null where it bears none. */
  readonly agent: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the marks out of an environment. */
export function marksIn(env: Environment): Marks {
  const codexThread = wordIn(env.CODEX_THREAD_ID);
  return {
    pane: paneMarkIn(env),
    run: wordIn(env.ROLLCALL_RUN),
    agentPids: [env.CLAUDE_PID, env.OPENCODE_PID].flatMap(pidIn),
    conversations: [wordIn(env.CLAUDE_CODE_SESSION_ID), codexThread, wordIn(env.GEMINI_SESSION_ID)].filter(
      (word) => word !== null,
    ),
    codexThread,
    isInBackground: BACKGROUND.has(env.CLAUDE_CODE_SESSION_KIND ?? ''),
    agent: AGENT_MARKS.find(([variable]) => wordIn(env[variable]) !== null)?.[1] ?? null,
  };
}

// What Claude Code tells its processes without a terminal that they are (2.1.325).
const BACKGROUND: ReadonlySet<string> = new Set(['bg', 'daemon', 'daemon-worker']);

// By the variables that each sets in its tools and in the servers that it starts.
const AGENT_MARKS: readonly (readonly [string, string])[] = [
  ['CLAUDECODE', 'Claude Code'],
  ['CLAUDE_CODE_SESSION_ID', 'Claude Code'],
  ['CODEX_THREAD_ID', 'Codex'],
  ['GEMINI_CLI', 'Gemini CLI'],
  ['OPENCODE', 'opencode'],
];

/** The pane that an environment names. The path comes first and may hold commas itself. */
export function paneMarkIn({ TMUX, TMUX_PANE }: Environment): PaneMark | null {
  const found = /^(.+),(\d{1,10}),(\d{1,10})$/s.exec(TMUX ?? '');
  if (found === null || TMUX_PANE === undefined || !/^%\d+$/.test(TMUX_PANE)) return null;
  const [, socketPath = '', serverPid, session] = found;
  return { socketPath, serverPid: Number(serverPid), sessionId: `$${Number(session)}`, paneId: TMUX_PANE };
}

function wordIn(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function pidIn(value: string | undefined): number[] {
  return value !== undefined && /^[1-9]\d{0,9}$/.test(value) ? [Number(value)] : [];
}

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
