import { statSync } from 'node:fs';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { tryOr } from '../../../core/try-or.ts';
import { createFileCache } from '../../files/file-mark.ts';
import { asObject, objectIn } from '../../files/json-object.ts';
import { createKeep } from '../../files/keep.ts';
import { readEnd, readStart } from '../common/read-file.ts';
import { THREAD_ID } from './command-line.ts';
import type { SignBase } from './status.ts';

/** How a conversation's turn stood when its transcript was last written. */
export interface TranscriptTurn {
  readonly turn: 'running' | 'over';
  readonly since: number;
  /** When a turn that runs began, where its record tells. */
  readonly beganAt?: number;
  readonly event: string;
}

/** Whose transcript it is, from its first record. */
export interface TranscriptOwner {
  readonly id: string;
  /** Set for a subagent. */
  readonly parent?: string;
  readonly version?: string;
}

/** The sign of a turn in a transcript. */
export function signOfTurn({ since, turn, beganAt, event }: TranscriptTurn, base: SignBase): AgentSign {
  return {
    source: 'transcript',
    ...base,
    isLive: false,
    since,
    turn,
    ...(beganAt !== undefined && { beganAt }),
    text: `the last turn in the transcript: ${event}`,
  };
}

export type CodexTranscripts = ReturnType<typeof createTranscripts>;

// The end of a turn is among the last few records, unless a giant record follows it.
const END_BYTES = [64 * 1024, 1024 * 1024];
// The first record holds the model's whole instructions: 22 KB in 0.166.0.
const START_BYTES = 256 * 1024;
const MAX_KEPT = 4_000;

/** Reads transcripts; what was read once is kept until the file changes. */
export function createTranscripts() {
  const owners = createKeep<{ readonly inode: number; readonly owner: TranscriptOwner }>(MAX_KEPT);
  return {
    /** null when there is none, when it cannot be read, or when no turn stands in its end. */
    lastTurn: createFileCache(MAX_KEPT, readTurn),
    owner(path: string): TranscriptOwner | null {
      const known = owners.get(path);
      if (known && known.inode === inodeOf(path)) return known.owner;
      const start = readStart(path, START_BYTES);
      const owner = start.state === 'read' ? ownerIn(start.text) : null;
      return owner && start.state === 'read' ? owners.set(path, { inode: start.inode, owner }).owner : null;
    },
  };
}

function readTurn(path: string): TranscriptTurn | null {
  for (const maxBytes of END_BYTES) {
    const read = readEnd(path, maxBytes);
    if (read.state !== 'read') return null;
    const lines = read.text.split('\n');
    if (read.isCut) lines.shift();
    // Half a line at the end is being written. What cannot be read may be the beginning of the next turn.
    let isDoubtful = lines.pop() !== '';
    for (const line of lines.reverse()) {
      const turn = turnIn(line, read.modifiedAt);
      if (turn) return isDoubtful && turn.turn === 'over' ? null : turn;
      isDoubtful ||= objectIn(line) === null;
    }
    if (!read.isCut) return null;
  }
  return null;
}

const TURNS: Readonly<Record<string, TranscriptTurn['turn']>> = {
  task_started: 'running',
  task_complete: 'over',
  turn_aborted: 'over',
};
const MARKER = /"type":\s*"(?:task_started|task_complete|turn_aborted)"/;

function turnIn(line: string, modifiedAt: number): TranscriptTurn | null {
  if (!MARKER.test(line)) return null;
  const record = objectIn(line);
  const event = record?.type === 'event_msg' ? asObject(record.payload)?.type : null;
  if (typeof event !== 'string' || !Object.hasOwn(TURNS, event)) return null;
  const at = Date.parse(String(record?.timestamp));
  const turn = TURNS[event] as TranscriptTurn['turn'];
  if (Number.isNaN(at)) return { turn, since: modifiedAt, event };
  return { turn, since: at, ...(turn === 'running' && { beganAt: at }), event };
}

function ownerIn(text: string): TranscriptOwner | null {
  const end = text.indexOf('\n');
  const record = end === -1 ? null : objectIn(text.slice(0, end));
  const payload = record?.type === 'session_meta' ? asObject(record.payload) : null;
  const { id, parent_thread_id: parent, cli_version: version } = payload ?? {};
  if (typeof id !== 'string' || !THREAD_ID.test(id)) return null;
  return {
    id,
    ...(typeof parent === 'string' && { parent }),
    ...(typeof version === 'string' && version.length < 40 && { version }),
  };
}

function inodeOf(path: string): number | undefined {
  return tryOr(undefined, () => statSync(path, { throwIfNoEntry: false })?.ino);
}
