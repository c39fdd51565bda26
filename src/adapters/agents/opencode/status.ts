import { get } from 'node:http';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { createKeep } from '../../files/keep.ts';
import type { Listeners } from './listener.ts';

/** What opencode's own HTTP server says of all its sessions. */
export type OwnStatus =
  | {
      readonly state: 'told';
      readonly version?: string;
      readonly sign: Omit<AgentSign, 'isVerified' | 'background'>;
    }
  | { readonly state: 'failed'; readonly text: string };

export interface StatusReader {
  read(process: AgentProcess, port: number, now: number): Promise<OwnStatus>;
}

const TIME_LIMIT_MS = 300;
const MAX_AGE_MS = 500;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_KEPT = 2000;

/** Makes the reader. An answer is kept for half a second, so that several looks in a row cost one question. */
export function createStatusReader(listeners: Listeners, timeLimitMs = TIME_LIMIT_MS): StatusReader {
  const kept = createKeep<{ readonly at: number; readonly answer: Promise<OwnStatus> }>(MAX_KEPT);
  return {
    read(process, port, now) {
      const key = `${process.pid}:${process.startTicks}:${port}`;
      const known = kept.get(key);
      if (known && now >= known.at && now - known.at < MAX_AGE_MS) return known.answer;
      const answer = ask({ listeners, timeLimitMs, pid: process.pid, port, now });
      return kept.set(key, { at: now, answer }).answer;
    },
  };
}

async function ask(question: {
  readonly listeners: Listeners;
  readonly timeLimitMs: number;
  readonly pid: number;
  readonly port: number;
  readonly now: number;
}): Promise<OwnStatus> {
  const { listeners, timeLimitMs, pid, port, now } = question;
  const isItsOwn = listeners.isOf(pid, port);
  if (isItsOwn !== true) {
    const text =
      isItsOwn === null
        ? `who answers on port ${port} cannot be told here`
        : `it does not listen on port ${port}`;
    return { state: 'failed', text };
  }
  try {
    const [status, permissions, questions, health] = await Promise.all(
      ['/session/status', '/permission', '/question', '/global/health'].map((path) =>
        getJson(port, path, timeLimitMs),
      ),
    );
    const said = judge(status, permissions, questions);
    if (typeof said === 'string') return { state: 'failed', text: said };
    const version = isRecord(health) && typeof health.version === 'string' ? health.version : undefined;
    return {
      state: 'told',
      ...(version !== undefined && version.length < 40 && { version }),
      sign: { source: 'agent', observedAt: now, isLive: true, ...said },
    };
  } catch (error) {
    return { state: 'failed', text: visible(`port ${port}: ${(error as Error).message}`, 200) };
  }
}

// A session stays busy while a permission or a question of it is open, so those are looked at first. Dialogs of the
// interface itself (a login, a list) are not told here: that nothing is asked does not mean that no dialog is open.
function judge(
  status: unknown,
  permissions: unknown,
  questions: unknown,
): Pick<AgentSign, 'turn' | 'waitingFor' | 'text'> | string {
  if (!isRecord(status) || !Array.isArray(permissions) || !Array.isArray(questions)) {
    return 'its status has a form that is not known';
  }
  const types = Object.values(status).map((entry) => (isRecord(entry) ? entry.type : undefined));
  if (types.some((type) => typeof type !== 'string' || !KNOWN_TYPES.has(type))) {
    return 'a session has a status that is not known';
  }
  if (permissions.length > 0) {
    return {
      turn: 'running',
      waitingFor: 'permission',
      text:
        permissions.length === 1
          ? 'a permission is asked for'
          : `${permissions.length} permissions are asked for`,
    };
  }
  if (questions.length > 0) {
    return {
      turn: 'running',
      waitingFor: 'question',
      text: questions.length === 1 ? 'a question is open' : `${questions.length} questions are open`,
    };
  }
  const busy = types.filter((type) => type !== 'idle');
  if (busy.length === 0) return { turn: 'over', text: 'no session of it is busy' };
  const isRetrying = busy.every((type) => type === 'retry');
  const sessions = busy.length === 1 ? 'a session' : `${busy.length} sessions`;
  return {
    turn: 'running',
    ...(isRetrying && { waitingFor: 'retry' as const }),
    text: isRetrying ? `failed requests of ${sessions} are tried again` : `${sessions} at work`,
  };
}

const KNOWN_TYPES = new Set(['idle', 'busy', 'retry']);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getJson(port: number, path: string, timeLimitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeLimitMs);
    const request = get({ host: '127.0.0.1', port, path, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        reject(new Error(`${path} answered ${response.statusCode}`));
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) response.destroy(new Error(`${path} answered too much`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        } catch {
          reject(new Error(`${path} answered no JSON`));
        }
      });
    });
    request.on('error', (error) =>
      reject(signal.aborted ? new Error(`no answer within ${timeLimitMs} ms`) : error),
    );
  });
}
