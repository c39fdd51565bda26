import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Breaker, REAP_MODES, type ReapMode } from '../../core/reaper/standing.ts';
import { visible } from '../../core/text/visible.ts';
import type { ReapModeSetting, ReapModes } from '../../ports/reaper.ts';
import { readOwnText } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isNumber, isText, nullOr, oneOf, shape } from '../files/shape.ts';

interface Kept {
  readonly format: 1;
  readonly mode: ReapMode;
  readonly stamp: string;
  readonly breaker: Breaker | null;
}

const MOST_BYTES = 64 * 1024;
const MOST_TEXT = 1000;

/** Nobody has said anything yet: the reaper decides and records, and touches nothing. */
const UNSET: ReapModeSetting = { mode: 'shadow', breaker: null, stamp: '', problem: null };

/** The mode and the breaker in `reaper.json` of the state folder. What cannot be read is shadow, never enforce. */
export function createModeFile(folder: string): ReapModes {
  const path = join(folder, 'reaper.json');
  const read = (): ReapModeSetting => {
    try {
      const text = readOwnText(path, MOST_BYTES);
      if (text === null) return UNSET;
      const kept: unknown = JSON.parse(text);
      if (!isKept(kept)) throw new Error(`${path}: its content is not as expected`);
      const { mode, breaker, stamp } = kept;
      return { mode, breaker, stamp, problem: null };
    } catch (error) {
      return { ...UNSET, problem: wordsOf(path, error) };
    }
  };
  const write = (kept: Omit<Kept, 'format'>): string | null => {
    try {
      replaceFile(path, `${JSON.stringify({ format: 1, ...kept })}\n`);
      return null;
    } catch (error) {
      return wordsOf(path, error);
    }
  };
  return {
    read,
    set: (mode) => write({ mode, breaker: null, stamp: randomBytes(8).toString('hex') }),
    trip(breaker) {
      const { mode, stamp } = read();
      const { at, code, session } = breaker;
      const text = visible(breaker.text, MOST_TEXT);
      return write({ mode, stamp, breaker: { at, code, text, session } });
    },
  };
}

/** What callers get where the state folder itself is refused. */
export function noModes(text: string): ReapModes {
  return { read: () => ({ ...UNSET, problem: text }), set: () => text, trip: () => text };
}

function wordsOf(path: string, error: unknown): string {
  const { message } = error as Error;
  return visible(message.includes(path) ? message : `${path}: ${message}`, 600);
}

const isKept = shape<Kept>({
  format: oneOf([1]),
  mode: oneOf(REAP_MODES),
  stamp: isText,
  breaker: nullOr(
    shape<Breaker>({
      at: isNumber,
      code: isText,
      text: isText,
      session: nullOr(shape({ key: isText, name: isText })),
    }),
  ),
});
