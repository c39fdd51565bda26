import { closeSync, constants, createReadStream, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { historyLine } from '../../core/history/record.ts';
import { visible } from '../../core/text/visible.ts';
import type { HistoryWriter } from '../../ports/history.ts';
import { openPlain, readAt } from '../files/own-file.ts';
import { removeQuietly, replaceFile } from '../files/replace-file.ts';
import { ownFolder, removeHalves, type Segment, segmentName, segmentsIn } from './segments.ts';

/** Compresses a closed segment beside itself, then takes its place. Readers find one or the other, each whole. */
async function pack(path: string): Promise<number> {
  const packed = await zipped(path);
  replaceFile(`${path}.gz`, packed, { sync: 'nothing' });
  removeQuietly(path);
  return packed.length;
}

const PIECE_BYTES = 64 * 1024;

// In small pieces: with the whole segment at once a daemon was larger by 11 MiB from its first closed segment on, and stayed so.
async function zipped(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  await pipeline(source, createGzip({ level: 6 }), async (all: AsyncIterable<Buffer>) => {
    for await (const piece of all) pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

export interface HistoryBounds {
  readonly maxBytes: number;
  readonly keepMs: number;
}

/** The history has so many files that dropping the oldest one loses little of it. */
const PARTS = 16;
const LONGEST_OPEN_MS = 24 * 3_600_000;
const TEXT_LENGTH = 600;

/** Writes the history of one state folder. Nothing is made before the first record. */
export function createHistoryWriter(folder: string, bounds: HistoryBounds): HistoryWriter {
  const partBytes = Math.floor(bounds.maxBytes / PARTS);
  let open: Open | null = null;
  /** Closed ones, the oldest first. */
  let closed: Segment[] = [];
  /** Those that could not be compressed stay as they are, and count with their full size. */
  const unpackable = new Set<number>();

  return {
    append(records, at) {
      if (records.length === 0) return null;
      try {
        open ??= opened(at);
        const text = records.map((record) => `${historyLine(record)}\n`).join('');
        const bytes = Buffer.from(open.isCut ? `\n${text}` : text);
        makeRoom(bytes.length, open.bytes, at);
        writeAll(open, bytes);
        if (open.bytes >= partBytes || at - open.beganAt >= LONGEST_OPEN_MS) turn(open, at);
        return null;
      } catch (error) {
        return failure(error);
      }
    },
    async tidy() {
      const segment = closed.find(({ isPacked, number }) => !isPacked && !unpackable.has(number));
      if (segment === undefined) return null;
      try {
        const bytes = await pack(segment.path);
        const [path, name] = [`${segment.path}.gz`, `${segment.name}.gz`];
        const index = closed.indexOf(segment);
        // It may have been too old by then.
        if (index < 0) removeQuietly(path);
        else closed[index] = { ...segment, path, name, isPacked: true, bytes };
        return null;
      } catch (error) {
        unpackable.add(segment.number);
        return failure(error);
      }
    },
    close() {
      if (open) closeSync(open.file);
      open = null;
    },
  };

  // Continues the segment that an earlier daemon left open: a daemon that is started often makes no heap of small files.
  function opened(at: number): Open {
    ownFolder(folder);
    removeHalves(folder);
    const segments = segmentsIn(folder);
    const last = segments.at(-1);
    if (last && !last.isPacked && last.bytes < partBytes) {
      closed = segments.slice(0, -1);
      return openSegment(last.path, last.number, last.beganAt);
    }
    closed = segments.map((segment) => ({ ...segment, endedAt: Math.min(segment.endedAt, at) }));
    return begin((last?.number ?? 0) + 1, at);
  }

  function begin(number: number, at: number): Open {
    return openSegment(join(folder, segmentName(number, at)), number, at);
  }

  function turn({ number, path, beganAt, bytes, file }: Open, at: number): void {
    closeSync(file);
    open = null;
    const name = segmentName(number, beganAt);
    closed.push({ number, name, path, beganAt, isPacked: false, bytes, endedAt: at });
    open = begin(number + 1, at);
  }

  // Room is kept for what comes now, and for a segment that is there in both forms while it is compressed.
  function makeRoom(bytes: number, openBytes: number, at: number): void {
    const oldest = at - bounds.keepMs;
    const room = bounds.maxBytes - bytes - openBytes - partBytes;
    let total = closed.reduce((sum, segment) => sum + segment.bytes, 0);
    while (closed[0] && (total > room || closed[0].endedAt < oldest)) {
      const [first] = closed.splice(0, 1) as [Segment];
      total -= first.bytes;
      removeQuietly(first.path);
    }
  }
}

interface Open {
  readonly file: number;
  readonly number: number;
  readonly path: string;
  readonly beganAt: number;
  bytes: number;
  /** The last line was cut: a new one has to begin on its own. */
  isCut: boolean;
}

function openSegment(path: string, number: number, beganAt: number): Open {
  const file = openPlain(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  const { size } = fstatSync(file);
  return {
    file,
    number,
    path,
    beganAt,
    bytes: size,
    isCut: size > 0 && readAt(file, 1, size - 1)[0] !== NEWLINE,
  };
}

const NEWLINE = 0x0a;

// On a full disk a part of it may be written: then the next line has to begin anew.
function writeAll(open: Open, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(open.file, bytes, written);
    open.isCut = false;
  } catch (error) {
    open.isCut = open.isCut || written > 0;
    throw error;
  } finally {
    open.bytes += written;
  }
}

function failure(error: unknown): string {
  return visible(`the history was not written: ${(error as Error).message}`, TEXT_LENGTH);
}
