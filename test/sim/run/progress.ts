import { type Tally, timesRealTime } from './hunt.ts';

const EVERY_MS = 5000;

/** Tells on stderr how far it has come, every few seconds; gives what ends that. */
export function watchProgress(tally: Tally, seeds: number): () => void {
  const startedAt = performance.now();
  let told = 0;
  const timer = setInterval(() => {
    for (const { story, violation } of tally.broken.slice(told))
      process.stderr.write(`seed ${story.seed} breaks ${violation?.law}: ${violation?.text}\n`);
    told = tally.broken.length;
    const passedMs = performance.now() - startedAt;
    const leftMs = tally.seeds === 0 ? null : (passedMs / tally.seeds) * (seeds - tally.seeds);
    const left = leftMs === null ? '' : `, ${Math.ceil(leftMs / 60_000)} min left`;
    process.stderr.write(`${progressText(tally, seeds)}${left}\n`);
  }, EVERY_MS);
  return () => clearInterval(timer);
}

export function progressText(tally: Tally, seeds: number): string {
  const { sessionHours, broken } = tally;
  return [
    `${tally.seeds} of ${seeds} seeds`,
    `${Math.round(sessionHours).toLocaleString('en-US')} session-hours`,
    `${timesRealTime(tally).toLocaleString('en-US')} × real time on each core`,
    `${broken.length} violations`,
  ].join(', ');
}
