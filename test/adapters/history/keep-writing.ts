import { createHistoryReader } from '../../../src/adapters/history/history-reader.ts';
import { createHistoryWriter } from '../../../src/adapters/history/history-writer.ts';
import type { HistoryRecord } from '../../../src/core/history/record.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import { judged, later, round, seenAt } from '../../core/history/rounds.ts';
import { idleAgent, withPieces, word } from '../../support/evidence.ts';

export const MAX_BYTES = 4 * 1024 ** 2;

/** Writes rounds of four sessions from this number on, until one of them says `false`. */
export async function keepWriting(
  folder: string,
  first: number,
  after: (number: number, problem: string | null) => boolean,
): Promise<void> {
  const writer = createHistoryWriter(folder, { maxBytes: MAX_BYTES, keepMs: 86_400_000 });
  const recorder = new Recorder({ freshMs: 15_000 });
  writer.append(recorder.started(later(first * 2000)), later(first * 2000).at);
  for (let number = first, goesOn = true; goesOn; number += 1) {
    const now = later(number * 2000);
    const evidence = withPieces(idleAgent(), word({ background: number % 7 }));
    const sessions = ['a', 'b', 'c', 'd'].map((name) => judged(name, seenAt(evidence, now), now));
    const problem = writer.append(recorder.round(round(now, { sessions })), now.at);
    if (problem !== null) recorder.forget();
    await writer.tidy();
    goesOn = after(number, problem);
  }
  writer.close();
}

/** Everything that can be read. */
export async function readHistory(folder: string): Promise<{ records: HistoryRecord[]; damaged: number }> {
  const all = { records: [] as HistoryRecord[], damaged: 0 };
  for await (const part of createHistoryReader(folder).read(0)) {
    all.records.push(...part.records);
    all.damaged += part.damaged;
  }
  return all;
}
