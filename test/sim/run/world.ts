import { makeStory } from '../story/make/make-story.ts';
import { playStory } from '../story/play.ts';
import type { World } from './job.ts';
import { runStory } from './run-story.ts';

/** The simulated machine, as workers play it. */
export const WORLD: World = { story: makeStory, run: (story) => runStory(story, playStory) };
