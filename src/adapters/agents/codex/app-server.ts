import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { tryOr } from '../../../core/try-or.ts';
import { asObject, type JsonFields, objectIn } from '../../files/json-object.ts';
import { createBrief } from '../common/brief.ts';
import { THREAD_ID } from './command-line.ts';

/** A conversation that the daemon has in memory. */
export interface LoadedThread {
  readonly id: string;
  /** Shared by a conversation and its subagents. */
  readonly session: string;
  readonly parent: string | null;
  readonly cwd: string;
  readonly name: string | null;
  readonly transcript: string | null;
  /** Codex's own helpers, such as the one that invents a title. */
  readonly isEphemeral: boolean;
  /** As it came: what is not known is no proof of anything. */
  readonly status: string;
  readonly flags: readonly string[];
  /** Commands that still run; null when it did not say. */
  readonly terminals: number | null;
}

/** What a daemon said of all its conversations at one moment. */
export type ServerAnswer =
  | {
      readonly state: 'answered';
      readonly version?: string;
      readonly threads: readonly LoadedThread[];
      /** Programs that are connected to it besides this one; null where the system does not tell. */
      readonly clients: number | null;
    }
  | { readonly state: 'failed'; readonly text: string; readonly isAbsent?: true };

/** Where Codex is looked for; the system's own unless a test says otherwise. */
export interface ServerSurroundings {
  readonly procRoot: string;
  readonly now: () => number;
  /** How long the daemon may take to answer. */
  readonly timeoutMs: number;
}

/** Asks the daemon of one Codex home; all panes of a home share an answer for half a second. */
export type AskServer = (home: string, clientPid: number) => Promise<ServerAnswer>;

const MAX_AGE_MS = 500;
const MAX_HOMES = 200;
const MAX_THREADS = 200;

/** Makes the asker. It connects, asks and hangs up: it starts no daemon, loads no conversation and keeps none loaded. */
export function createAskServer({ procRoot, now, timeoutMs }: ServerSurroundings): AskServer {
  const brief = createBrief<Promise<ServerAnswer>>(MAX_HOMES, MAX_AGE_MS);
  return (home, clientPid) =>
    brief(home, now(), () =>
      ask(home, () => clientsOf(procRoot, clientPid, home), timeoutMs).catch((error) =>
        failed(String(error)),
      ),
    );
}

const socketOf = (home: string): string => `${home}/app-server-control/app-server-control.sock`;

async function ask(
  home: string,
  countClients: () => number | null,
  timeoutMs: number,
): Promise<ServerAnswer> {
  const socketPath = socketOf(home);
  const socket = tryOr(null, () => statSync(socketPath));
  if (socket === null) return { ...failed('its app server is not running'), isAbsent: true };
  if (socket.uid !== process.getuid?.()) return failed(`${socketPath} belongs to another user`);
  const { openWebSocket } = await import('./websocket.ts');
  return new Promise((resolve) => {
    const waiting = new Map<number, (result: unknown) => void>();
    let lastId = 0;
    const finish = (answer: ServerAnswer): void => {
      clearTimeout(timer);
      link.close();
      resolve(answer);
    };
    const late = failed(`its app server did not answer within ${timeoutMs} ms`);
    const timer = setTimeout(() => finish(late), timeoutMs);
    const call = (method: string, params: object): Promise<unknown> =>
      new Promise((settle) => {
        lastId += 1;
        waiting.set(lastId, settle);
        link.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }));
      });
    const talk = async (): Promise<void> => {
      const hello = fieldsOf(await call('initialize', INTRODUCTION));
      link.send(JSON.stringify({ jsonrpc: '2.0', method: 'initialized' }));
      const loaded = fieldsOf(await call('thread/loaded/list', {}));
      const clients = countClients();
      const ids = loaded.data;
      if (!Array.isArray(ids) || ids.length > MAX_THREADS || (loaded.nextCursor ?? null) !== null)
        return finish(failed('its app server gave no list of conversations'));
      const threads = await Promise.all(
        ids.map(async (threadId: unknown) => {
          const [read, terminals] = await Promise.all([
            call('thread/read', { threadId }),
            call('thread/backgroundTerminals/list', { threadId }),
          ]);
          return threadIn(fieldsOf(read).thread, terminals);
        }),
      );
      // One that was unloaded in between, or that is not told of, may be the one that works.
      if (threads.some((thread) => thread === null))
        return finish(failed('its app server did not list every conversation'));
      const version = /^[^/\s]{1,80}\/(\d[\w.-]{0,38})/.exec(String(hello.userAgent))?.[1];
      finish({
        state: 'answered',
        ...(version !== undefined && { version }),
        threads: threads as LoadedThread[],
        clients,
      });
    };
    const link = openWebSocket(socketPath, {
      onOpen: () => void talk().catch((error) => finish(failed(String(error)))),
      onText: (text) => {
        const message = objectIn(text) ?? {};
        const id = message.id;
        if (typeof id !== 'number' || message.method !== undefined) return;
        waiting.get(id)?.(message.result);
        waiting.delete(id);
      },
      onEnd: (why, isNobodyThere) =>
        finish({ ...failed(`its app server: ${why}`), ...(isNobodyThere && { isAbsent: true }) }),
    });
  });
}

/**
 * The name that Codex's own daemon control uses. Any other name would become part of the user agent of all later
 * requests that the daemon sends to the model, for all of its clients.
 */
const INTRODUCTION = {
  clientInfo: { name: 'codex_app_server_daemon', title: null, version: '0.0.0' },
  capabilities: {
    experimentalApi: true,
    requestAttestation: false,
    optOutNotificationMethods: ['configWarning', 'remoteControl/status/changed'],
  },
};

function threadIn(value: unknown, terminals: unknown): LoadedThread | null {
  const thread = fieldsOf(value);
  const status = fieldsOf(thread.status);
  const id = thread.id;
  if (typeof id !== 'string' || !THREAD_ID.test(id)) return null;
  const session = textOr(thread.sessionId, id);
  const flags = Array.isArray(status.activeFlags) ? status.activeFlags : [];
  const running = fieldsOf(terminals).data;
  return {
    id,
    session,
    parent: textOr(thread.parentThreadId, session === id ? null : session),
    cwd: textOr(thread.cwd, ''),
    name: textOr(thread.name, null),
    transcript: textOr(thread.path, null),
    isEphemeral: thread.ephemeral === true,
    status: textOr(status.type, ''),
    flags: flags.filter((flag): flag is string => typeof flag === 'string').slice(0, 20),
    terminals: Array.isArray(running) ? running.length : null,
  };
}

// Every accepted connection shows the socket's path in the caller's network namespace: also ours, if it is the same.
function clientsOf(procRoot: string, pid: number, home: string): number | null {
  return tryOr(null, () => {
    const path = realpathSync(socketOf(home));
    const rows = readFileSync(`${procRoot}/${pid}/net/unix`, 'utf8').split('\n');
    const connected = rows.filter((row) => {
      const [, , , flags, , state] = row.split(/\s+/, 6);
      return flags === '00000000' && state === '03' && row.endsWith(` ${path}`);
    }).length;
    const isSame = readlinkSync(`${procRoot}/${pid}/ns/net`) === readlinkSync(`${procRoot}/self/ns/net`);
    return isSame ? Math.max(0, connected - 1) : connected;
  });
}

function failed(text: string): Extract<ServerAnswer, { state: 'failed' }> {
  return { state: 'failed', text };
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : otherwise;
}

function fieldsOf(value: unknown): JsonFields {
  return asObject(value) ?? {};
}
