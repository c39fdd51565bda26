import { isAbsolute, join } from 'node:path';
import type { AgentSign } from '../../../core/agent/sign.ts';
import type { AgentProcess, AgentScene } from '../../../ports/agent.ts';
import type { StartWords } from './command-line.ts';
import type { HeardSessions } from './hooks.ts';
import type { MessageRow, SessionRow, SessionStore } from './session-store.ts';

/** A message's time and the start of a process are taken from different clocks. */
const CLOCK_SLACK_MS = 2000;
/** What follows a message is written within this time: the next step, a queued prompt, a compaction. */
const SETTLING_MS = 2000;
/** A step that waits for nothing but the program itself has begun within this time, or never will. */
const STEP_MS = 10_000;

/** Where a process keeps its sessions; null when it keeps them nowhere, undefined when that cannot be told. */
export function databasePath(env: NodeJS.ProcessEnv | null): string | null | undefined {
  if (env === null) return undefined;
  if (env.OPENCODE_DB === ':memory:') return null;
  if (env.OPENCODE_DB && isAbsolute(env.OPENCODE_DB)) return env.OPENCODE_DB;
  const base = env.XDG_DATA_HOME || (env.HOME ? join(env.HOME, '.local', 'share') : undefined);
  return base === undefined ? undefined : join(base, 'opencode', env.OPENCODE_DB || 'opencode.db');
}

/** What the database tells of one agent. */
export interface TranscriptReading {
  readonly conversation?: SessionRow;
  readonly sign: Omit<AgentSign, 'isVerified'> | null;
}

/**
 * Reads the sessions of the agent's folder. The database does not say which process runs a session: an unrelated one
 * proves no work of this process, but while it may be working, nothing proves rest either.
 */
export function readTranscript(
  store: SessionStore,
  scene: AgentScene,
  start: StartWords,
  heard: HeardSessions,
): TranscriptReading {
  const { agent, now, title } = scene;
  const own = ownSessions(store, start, heard);
  const inFolder = agent.cwd === undefined ? [] : store.inFolder(agent.cwd);
  const others = inFolder.filter(({ id }) => !own.has(id) && !heard.others.has(id));
  const touched = others.filter((session) => isTouched(session, store.lastMessage(session.id), agent));
  const conversation =
    shownAmong([...own.values()], title, store) ??
    (title.startsWith(SESSION_TITLE) ? shownAmong(inFolder, title, store) : undefined);
  const isKnown =
    conversation && (own.has(conversation.id) || start.isContinued || touched.includes(conversation));
  if (isKnown) addFamily(store, conversation, own);

  const mine = [...own.values()].map(({ id }) => judge(store, id, agent, now));
  const strangers = touched.filter(({ id }) => !own.has(id)).map(({ id }) => judge(store, id, agent, now));
  const said = together(mine, strangers, agent);
  const isWhole = agent.cwd !== undefined || said?.turn === 'running';
  return {
    ...(isKnown && { conversation }),
    sign: said && isWhole ? { source: 'transcript', observedAt: now, isLive: false, ...said } : null,
  };
}

/** What is known of one session: at rest since, at work since, or neither. */
type State =
  | { readonly is: 'rest' | 'work' | 'question'; readonly since: number; readonly text?: string }
  | { readonly is: 'unclear' };

function together(
  mine: readonly State[],
  strangers: readonly State[],
  agent: AgentProcess,
): Pick<AgentSign, 'turn' | 'waitingFor' | 'since' | 'text'> | null {
  const question = latest(mine, 'question');
  if (question !== undefined) {
    const text = 'a question stands open in its database';
    return { turn: 'running', waitingFor: 'question', since: question, text };
  }
  const work = latest(mine, 'work');
  if (work !== undefined)
    return { turn: 'running', since: work, text: 'a message in its database is not complete' };
  const all = [...mine, ...strangers];
  if (all.some(({ is }) => is !== 'rest')) return null;
  const rest = latest(all, 'rest') ?? agent.startedAt;
  const text =
    all.length === 0 ? 'no session was touched since it began' : 'every session in its database is at rest';
  return { turn: 'over', since: rest, text };
}

function latest(states: readonly State[], is: State['is']): number | undefined {
  const times = states.flatMap((state) => (state.is === is && state.is !== 'unclear' ? [state.since] : []));
  return times.length === 0 ? undefined : Math.max(...times);
}

function judge(store: SessionStore, id: string, { startedAt }: AgentProcess, now: number): State {
  const last = store.lastMessage(id);
  // A turn that died with an earlier process stays incomplete for ever, and nothing in this process works on it.
  if (last === null || isBefore(last, startedAt)) return { is: 'rest', since: startedAt };
  if (last.role === 'assistant') return judgeReply(last, now);
  // A prompt waits behind the reply that is being written, or for one that begins at once or never.
  const reply = store.lastReply(id);
  const isReplying = reply !== null && reply.completedAt === null && !isBefore(reply, startedAt);
  if (isReplying) return judgeReply(reply, now);
  return now - last.createdAt < STEP_MS ? { is: 'work', since: last.createdAt } : { is: 'unclear' };
}

function judgeReply({ createdAt, completedAt, finish, parts }: MessageRow, now: number): State {
  if (completedAt === null) {
    const isAsking = parts.some(({ tool, status }) => tool === 'question' && status === 'running');
    return { is: isAsking ? 'question' : 'work', since: createdAt };
  }
  if (now - completedAt < SETTLING_MS) return { is: 'unclear' };
  const isRefused = parts.some(({ status, error }) => status === 'error' && REFUSED.test(error ?? ''));
  const isEnd = finish !== 'tool-calls' && finish !== 'unknown';
  if (isEnd || isRefused) return { is: 'rest', since: completedAt };
  return now - completedAt < STEP_MS ? { is: 'work', since: completedAt } : { is: 'unclear' };
}

// A tool call that a person has refused ends the turn, though the message asks for the tool's result.
const REFUSED = /^(?:The user rejected permission|The user dismissed this question)/;

function isTouched(session: SessionRow, message: MessageRow | null, { startedAt }: AgentProcess): boolean {
  if (message === null) return session.createdAt >= startedAt - CLOCK_SLACK_MS;
  return !isBefore(message, startedAt);
}

function isBefore({ createdAt, writtenAt, completedAt }: MessageRow, startedAt: number): boolean {
  return Math.max(createdAt, writtenAt, completedAt ?? 0) < startedAt - CLOCK_SLACK_MS;
}

// What it was started with, and what its own plugin spoke of, with all subagents below.
function ownSessions(store: SessionStore, start: StartWords, { own }: HeardSessions) {
  const sessions = new Map<string, SessionRow>();
  const ids = [...own.map(({ conversation }) => conversation), start.session];
  for (const id of ids) {
    const session = id === null || id === undefined ? undefined : store.session(id);
    if (session) addFamily(store, session, sessions);
  }
  return sessions;
}

// With a list and no recursion: there may be a line of thousands.
function addFamily(store: SessionStore, session: SessionRow, sessions: Map<string, SessionRow>): void {
  const open = [session];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (sessions.has(next.id)) continue;
    sessions.set(next.id, next);
    for (const child of store.childrenOf(next.id)) open.push(child);
  }
}

// The title of the pane names the session on the screen, or a subagent of it. Two that bear it cannot be told apart.
function shownAmong(sessions: readonly SessionRow[], title: string, store: SessionStore) {
  const shown = new Set(
    sessions.filter((session) => titleOf(session) === title).map((found) => rootOf(found, store)),
  );
  return shown.size === 1 ? [...shown][0] : undefined;
}

function rootOf(session: SessionRow, store: SessionStore): SessionRow {
  let root = session;
  for (let depth = 0; depth < MAX_DEPTH && root.parent !== null; depth += 1) {
    root = store.session(root.parent) ?? { ...root, parent: null };
  }
  return root;
}

const MAX_DEPTH = 20;
const SESSION_TITLE = 'OC | ';

// opencode cuts long titles, and shows its own name until the model has thought of one.
function titleOf({ title }: SessionRow): string {
  if (DEFAULT_TITLE.test(title)) return 'OpenCode';
  return `${SESSION_TITLE}${title.length > 40 ? `${title.slice(0, 37)}...` : title}`;
}

const DEFAULT_TITLE = /^(?:New|Child) session - \d{4}-/;
