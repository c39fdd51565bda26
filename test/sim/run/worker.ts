import { type Job, work } from './job.ts';
import { WORLD } from './world.ts';

// A process of a crew: it does one job after the other until its parent ends it, or is gone.
process.on('message', (job: Job) => {
  work(WORLD, job).then(
    (told) => process.send?.({ told }),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
