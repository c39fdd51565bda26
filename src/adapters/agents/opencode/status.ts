import { get } from 'node:http';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { asObject, isObject } from '../../files/json-object.ts';
import { createBrief } from '../common/brief.ts';
import type { Listens } from './listener.ts';

/** What opencode's own HTTP server says of all its sessions. */
export type OpencodeStatus =
  | {
      readonly state: 'told';
      readonly version?: string;
      readonly sign: Omit<AgentSign, 'isVerified' | 'background'>;
    }
  | { readonly state: 'failed'; readonly text: string };

export type ReadStatus = (process: AgentProcess, port: number, now: number) => Promise<OpencodeStatus>;

const TIME_LIMIT_MS = 300;
const MAX_AGE_MS = 500;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_KEPT = 2000;

/** Makes the reader. An answer is kept for half a second, so that several looks in a row cost one question. */
export function createReadStatus(listens: Listens, timeLimitMs = TIME_LIMIT_MS): ReadStatus {
  const brief = createBrief<Promise<OpencodeStatus>>(MAX_KEPT, MAX_AGE_MS);
  return ({ pid, startTicks }, port, now) =>
    brief(`${pid}:${startTicks}:${port}`, now, () => ask(listens(pid, port), port, now, timeLimitMs));
}

async function ask(
  isItsOwn: boolean | null,
  port: number,
  now: number,
  timeLimitMs: number,
): Promise<OpencodeStatus> {
  if (isItsOwn !== true) {
    const untold = `who answers on port ${port} cannot be told here`;
    return { state: 'failed', text: isItsOwn === null ? untold : `it does not listen on port ${port}` };
  }
  try {
    const [status, permissions, questions, health] = await Promise.all(
      ['/session/status', '/permission', '/question', '/global/health'].map((path) =>
        getJson(port, path, timeLimitMs),
      ),
    );
    const said = judge(status, permissions, questions);
    if (typeof said === 'string') return { state: 'failed', text: said };
    const version = asObject(health)?.version;
    return {
      state: 'told',
      ...(typeof version === 'string' && version.length < 40 && { version }),
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
  if (!isObject(status) || !Array.isArray(permissions) || !Array.isArray(questions)) {
    return 'its status has a form that is not known';
  }
  const types = Object.values(status).map((entry) => asObject(entry)?.type);
  if (types.some((type) => typeof type !== 'string' || !KNOWN_TYPES.has(type))) {
    return 'a session has a status that is not known';
  }
  const count = permissions.length || questions.length;
  if (permissions.length > 0) {
    const text = count === 1 ? 'a permission is asked for' : `${count} permissions are asked for`;
    return { turn: 'running', waitingFor: 'permission', text };
  }
  if (questions.length > 0) {
    const text = count === 1 ? 'a question is open' : `${count} questions are open`;
    return { turn: 'running', waitingFor: 'question', text };
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
