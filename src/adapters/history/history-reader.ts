import { promisify } from 'node:util';
import { gunzip, constants as zlib } from 'node:zlib';
import { type HistoryRecord, readHistoryLine, WHOLE_MS } from '../../core/history/record.ts';
import type { HistoryPart, HistoryReader } from '../../ports/history.ts';
import { isRefusal, readOwnFile } from '../files/own-file.ts';
import { type Segment, segmentsIn } from './segments.ts';

const unzip = promisify(gunzip);

/** More than any segment holds, whatever the settings were when it was written. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Reads the history of one state folder; a folder that is not there holds nothing. */
export function createHistoryReader(folder: string): HistoryReader {
  return {
    async *read(since) {
      const segments = segmentsIn(folder);
      // A session that does not change is told of whole only so often.
      const from = since - WHOLE_MS;
      const wanted = segments.filter(({ endedAt }) => endedAt >= from);
      for (const [index, segment] of wanted.entries()) {
        const text = await textOf(segment);
        yield { ...recordsIn(text ?? ''), part: index + 1, of: wanted.length };
      }
    },
  };
}

function recordsIn(text: string): Omit<HistoryPart, 'part' | 'of'> {
  const records: HistoryRecord[] = [];
  let [damaged, unknown] = [0, 0];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const read = readHistoryLine(line);
    if (read.state === 'read') records.push(read.record);
    else if (read.state === 'unknown') unknown += 1;
    else damaged += 1;
  }
  return { records, damaged, unknown };
}

// While it is read it may be compressed, or go for good.
async function textOf({ path, isPacked }: Segment): Promise<string | null> {
  const bytes = bytesOf(path);
  if (bytes === null) return isPacked ? null : unpacked(bytesOf(`${path}.gz`));
  return isPacked ? unpacked(bytes) : bytes.toString('utf8');
}

// What is cut off at the end is read as far as it goes.
async function unpacked(bytes: Buffer | null): Promise<string | null> {
  if (bytes === null) return null;
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: MAX_BYTES };
    return (await unzip(bytes, options)).toString('utf8');
  } catch {
    return DAMAGED_LINE;
  }
}

const DAMAGED_LINE = '?';

function bytesOf(path: string): Buffer | null {
  try {
    return readOwnFile(path, { uid: null, maxBytes: MAX_BYTES })?.bytes ?? null;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
