import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneOutcome } from './lane.ts';
import type { Judged } from './sample.ts';

export type Say = (line: string) => void;

/** The raw results of a run, kept outside the project; each lane's as soon as it is through. */
export interface Results {
  readonly folder: string;
  add(outcome: LaneOutcome): void;
}

export function openResults(say: Say): Results {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-accuracy-'));
  const samples = join(folder, 'samples.jsonl');
  const unreached = join(folder, 'not-reached.txt');
  say(`samples: ${samples}`);
  return {
    folder,
    add({ lane, judged, notReached }) {
      appendFileSync(samples, judged.map((one) => `${sampleLine(one)}\n`).join(''));
      const screens = notReached.map((one) =>
        [`== ${lane.name}: ${one.state}: ${one.why}`, ...one.screens, ''].join('\n'),
      );
      appendFileSync(unreached, screens.join('\n'));
    },
  };
}

// The screen only where it helps to understand a verdict that was not right.
function sampleLine({ sample, mark, isSettling, score, isDangerous, rivalScore }: Judged): string {
  const { screen, title, word, ...rest } = sample;
  const isOdd = score !== 'right' && !isSettling;
  const { truth, at } = mark;
  const afterMs = sample.startedAt - at;
  return JSON.stringify({
    ...{ score, isDangerous, isSettling, afterMs, truth, ...rest, rivalScore },
    ...((isOdd || isDangerous) && { title, word, screen }),
  });
}
