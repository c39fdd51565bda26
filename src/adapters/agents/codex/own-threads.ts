import { readdirSync } from 'node:fs';
import { tryOr } from '../../../core/try-or.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { linkAt } from '../../files/look.ts';
import { createBrief } from '../common/brief.ts';

/** A conversation that a process runs itself, with the transcript that it holds open; it has none before its first turn. */
export interface OwnThread {
  readonly id: string;
  readonly transcript?: string;
}

const LOCK = /\/thread-writer-locks\/([0-9a-f-]{36})\.lock$/;
const TRANSCRIPT =
  /\/sessions\/.*\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[^/]*)?\.jsonl$/;
const MAX_FILES = 4_096;
const MAX_KEPT = 2_000;
// Asked several times in one look; a subagent begins between two of them.
const MAX_AGE_MS = 100;

/**
 * Makes the reader of the conversations that a Codex process runs itself; null where /proc does not tell. Whoever writes
 * a conversation holds its lock: a Codex without daemon from its start on, and the daemon for all of its clients, which
 * hold none. So a lock also tells that this process is no client.
 */
export function createOwnThreads(procRoot: string, now: () => number) {
  const brief = createBrief<readonly OwnThread[] | null>(MAX_KEPT, MAX_AGE_MS);
  return ({ pid, startTicks }: Pick<AgentProcess, 'pid' | 'startTicks'>) =>
    brief(`${pid} ${startTicks}`, now(), () => threadsIn(`${procRoot}/${pid}/fd`));
}

function threadsIn(folder: string): readonly OwnThread[] | null {
  const names = tryOr(null, () => readdirSync(folder));
  if (names === null || names.length > MAX_FILES) return null;
  const locked = new Set<string>();
  const transcripts = new Map<string, string>();
  for (const name of names) {
    const target = linkAt(`${folder}/${name}`) ?? '';
    const lock = LOCK.exec(target)?.[1];
    const opened = TRANSCRIPT.exec(target)?.[1];
    if (lock !== undefined) locked.add(lock);
    if (opened !== undefined) transcripts.set(opened, target);
  }
  return [...locked].sort().map((id) => {
    const transcript = transcripts.get(id);
    return transcript === undefined ? { id } : { id, transcript };
  });
}
