import { join } from 'node:path';
import { createHistoryReader } from '../adapters/history/history-reader.ts';
import { createHistoryWriter } from '../adapters/history/history-writer.ts';
import { createHostSensor } from '../adapters/host/host-sensor.ts';
import type { Settings } from '../config/settings.ts';
import type { HistoryRecord } from '../core/history/record.ts';
import { Recorder } from '../core/history/recorder.ts';
import type { Round } from '../core/supervision/round.ts';
import type { HistoryReader, HistoryWriter } from '../ports/history.ts';
import { ownStateFolder } from './system/own-user.ts';

/**
 * The history of this user's state folder, as the daemon keeps it. Only whoever holds the daemon's lock may record; everybody
 * may read. Nothing is made before the first record.
 */
export function composeHistory(env: NodeJS.ProcessEnv, settings: Pick<Settings, 'history' | 'policy'>) {
  const folder = historyFolder(env);
  const recorder = new Recorder({ freshMs: settings.policy.freshMs });
  const writer = createHistoryWriter(folder, settings.history);
  const host = createHostSensor({ now: Date.now });
  const write = async (records: HistoryRecord[], at: number) => {
    const problem = writer.append(records, at);
    // What was lost must not be built on.
    if (problem !== null) recorder.forget();
    raise(problem ?? (await writer.tidy()));
  };
  return {
    read: createHistoryReader(folder).read,
    /** Notes that supervision begins, before the first round. */
    started: () => {
      const now = host.now();
      return write(recorder.started(now), now.at);
    },
    /** Records what is new in a round. Throws where it could not be written, and goes on with the next one. */
    record: (round: Round) => write(recorder.round(round), round.now.at),
    /** Notes that supervision ends, and lets go of the file. */
    stopped: () => stopWith(writer, () => recorder.stopped(host.now())),
  };
}

/** What was recorded, for whoever only reads. */
export function composeHistoryReader(env: NodeJS.ProcessEnv): HistoryReader {
  return createHistoryReader(historyFolder(env));
}

async function stopWith(writer: HistoryWriter, records: () => HistoryRecord[]): Promise<void> {
  const last = records();
  const problem = writer.append(last, last[0]?.now.at ?? Date.now());
  writer.close();
  raise(problem);
}

function raise(problem: string | null): void {
  if (problem !== null) throw new Error(problem);
}

function historyFolder(env: NodeJS.ProcessEnv): string {
  const folder = ownStateFolder(env);
  if (folder.state === 'refused') throw new Error(`${folder.text} (${folder.hint})`);
  return join(folder.path, 'history');
}
