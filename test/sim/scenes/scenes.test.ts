import { describe, expect, it } from 'vitest';
import { sliceOf } from '../../support/slice.ts';
import { SCENES } from './index.ts';
import { playScene } from './scene.ts';

/** Once a law was broken in these. */
const FINDINGS: readonly string[] = ['tmux cannot be asked right after it has removed a session'];

// Of scenes that differ by their moment only, a part; every incident of others is played.
const PLAYED = sliceOf(
  SCENES,
  6,
  ({ name }) => (name.includes('#') && !name.includes(': ')) || FINDINGS.includes(name),
);

describe('a scene', () => {
  it.each(PLAYED.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    const { broken } = await playScene(scene);
    expect(broken, scene.sentence).toEqual([]);
  });
});
