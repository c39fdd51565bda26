import type { Story } from '../story/story.ts';
import type { Outcome, RunStory } from './outcome.ts';
import { type Shrunk, shrink } from './shrink.ts';

/** What a story is made from. */
export interface Scale {
  readonly sessions: number;
  readonly hours: number;
  /** As long as is usual where it is not given. */
  readonly calmHours?: number;
}

/** A world that can be played: the simulated machine, or a toy in a test. */
export interface World {
  /** The story of a seed. */
  story(seed: number, scale: Scale): Story;
  readonly run: RunStory;
}

/** What a worker is to do: play one story, or make one shorter that breaks a law. */
export type Job =
  | { readonly kind: 'play'; readonly seed: number; readonly scale: Scale }
  | {
      readonly kind: 'shrink';
      readonly story: Story;
      readonly mostRuns: number;
      readonly mostMs: number;
    };

export type Played = Outcome & { readonly kind: 'played'; readonly story: Story; readonly tookMs: number };
export type Told = Played | (Shrunk & { readonly kind: 'shrunk' }) | { readonly kind: 'whole' };

/** Does one job. `whole`: the story that was to be made shorter breaks no law. */
export async function work(world: World, job: Job): Promise<Told> {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  if (job.kind === 'play') {
    // Not the time of day: others may be at work on this machine.
    const cpu = process.cpuUsage();
    const { calmHours } = job.scale;
    const story = { ...world.story(job.seed, job.scale), ...(calmHours !== undefined && { calmHours }) };
    const outcome = await world.run(story);
    return { kind: 'played', ...outcome, story, tookMs: process.cpuUsage(cpu).user / 1000 };
  }
  const { story, mostRuns, mostMs } = job;
  const shrunk = await shrink(story, world.run, { mostRuns, isOver: () => passedMs() > mostMs });
  return shrunk === null ? { kind: 'whole' } : { kind: 'shrunk', ...shrunk };
}
