import { renameSync } from 'node:fs';
import type { HookMemory, HookSender } from '../../core/agent/hook-memory.ts';
import { WAITING_FOR } from '../../core/verdict/verdict.ts';
import { isRefusal, OwnFileRefused, readAt, withOwnFile } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import {
  isCount,
  isNumber,
  isText,
  listOf,
  missingOr,
  nullOr,
  oneOf,
  shape,
  type Test,
} from '../files/shape.ts';

/** Files of the spool that a memory holds already, by name, with their mtime: a name may come back. */
export type TakenFiles = ReadonlyMap<string, bigint>;

export interface SavedMemory {
  /** Of the save, unlike any other. */
  readonly id: string;
  readonly taken: TakenFiles;
  readonly memories: readonly HookMemory[];
  /** The last time of which something was lost that may have told of work; 0 for never. */
  readonly lostAt: number;
}

export type LoadedMemory =
  | ({ readonly state: 'loaded' } & SavedMemory)
  | { readonly state: 'absent' }
  | { readonly state: 'damaged' | 'failed'; readonly text: string };

export const NOTHING_SAVED: SavedMemory = { id: '', taken: new Map(), memories: [], lostAt: 0 };

const MAX_BYTES = 16 * 1024 * 1024;
const HEAD = /^\{"version":1,"id":"([\w.-]{1,80})"/;
const HEAD_BYTES = 128;
const LOST_BYTES = 40;

/** What was folded so far, in one file that is replaced as a whole. Only who holds the lock may save. */
export function createMemoryFile(path: string, uid: number) {
  const texts = new WeakMap<HookMemory, string>();
  return {
    /** The id of the last save, from the first bytes of the file; empty when there is none to be read. */
    id(): string {
      const head = read(path, uid, HEAD_BYTES);
      return typeof head === 'string' ? (HEAD.exec(head)?.[1] ?? '') : '';
    },
    load(): LoadedMemory {
      const text = read(path, uid, MAX_BYTES + 1);
      if (typeof text !== 'string') return text;
      if (text.length > MAX_BYTES) return { state: 'damaged', text: `it has more than ${MAX_BYTES} bytes` };
      const saved = parse(text);
      return saved === null
        ? { state: 'damaged', text: 'its content is not as expected' }
        : { state: 'loaded', ...saved };
    },
    /** Throws what the file system says. The newest memories come first, and as many are kept as fit. */
    save(taken: TakenFiles, newestFirst: readonly HookMemory[], lostAt: number): string {
      const id = `${process.pid}.${process.hrtime.bigint()}.${Math.random().toString(36).slice(2)}`;
      const names = JSON.stringify([...taken].map(([name, modifiedNs]) => [name, String(modifiedNs)]));
      const head = `{"version":1,"id":"${id}","taken":${names},"memories":[`;
      const parts = fitting(newestFirst, MAX_BYTES - Buffer.byteLength(head) - LOST_BYTES, texts);
      const lost = Math.max(lostAt, newestFirst[parts.length]?.last.at ?? 0);
      // Without fsync: what a power cut takes, it takes from agents that are gone with it.
      replaceFile(path, `${head}${parts.join(',')}],"lostAt":${lost}}`, { sync: 'nothing' });
      return id;
    },
    /** Keeps what is damaged as `<name>.damaged`, the newest only. */
    putAside(): void {
      renameSync(path, `${path}.damaged`);
    },
  };
}

/** Each memory is made into text once: of thousands, few change between two saves. */
function fitting(memories: readonly HookMemory[], room: number, texts: WeakMap<HookMemory, string>) {
  const parts: string[] = [];
  let left = room;
  for (const memory of memories) {
    const text = texts.get(memory) ?? JSON.stringify(memory);
    texts.set(memory, text);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    parts.push(text);
  }
  return parts;
}

function parse(text: string): SavedMemory | null {
  try {
    const id = HEAD.exec(text)?.[1];
    const { taken, memories, lostAt = 0 } = JSON.parse(text);
    if (id === undefined || !Array.isArray(taken) || !Array.isArray(memories)) return null;
    if (!Number.isFinite(lostAt)) return null;
    const names = taken.map(([name, modifiedNs]): [string, bigint] => [String(name), BigInt(modifiedNs)]);
    return memories.every(isHookMemory) ? { id, taken: new Map(names), memories, lostAt } : null;
  } catch {
    return null;
  }
}

function read(path: string, uid: number, maxBytes: number): string | Exclude<LoadedMemory, SavedMemory> {
  try {
    const bytes = withOwnFile(path, { uid }, ({ file, entry }) =>
      readAt(file, Math.min(Number(entry.size), maxBytes), 0),
    );
    return bytes?.toString('utf8') ?? { state: 'absent' };
  } catch (error) {
    const text = error instanceof OwnFileRefused ? error.text : (error as Error).message;
    return { state: isRefusal(error) ? 'damaged' : 'failed', text };
  }
}

const isSender = shape<HookSender>({
  parentPid: isCount,
  agentPid: missingOr(isCount),
  tmuxSocket: missingOr(isText),
  tmuxServerPid: missingOr(isCount),
  paneId: missingOr(isText),
});

const heard = (test: Test): Test => missingOr(shape({ value: test, at: isNumber }));

/** Whether a value from the memory file is a memory in full. */
const isHookMemory = shape<HookMemory>({
  agentKind: isText,
  conversation: nullOr(isText),
  sender: isSender,
  turn: heard(oneOf(['running', 'over'])),
  beganAt: missingOr(isNumber),
  waitingFor: heard(nullOr(oneOf(WAITING_FOR))),
  background: heard(isCount),
  subagents: listOf(isText),
  transcript: missingOr(isText),
  endedAt: missingOr(isNumber),
  last: shape({ event: isText, at: isNumber }),
});
