import { expect, it } from 'vitest';
import { ACTIVITIES, LIFECYCLES } from '../../../src/core/verdict/verdict.ts';
import { WAIT_STATES } from '../../../src/core/verdict/wait-state.ts';

it('may be any activity or lifecycle, each once', () => {
  for (const state of [...ACTIVITIES, ...LIFECYCLES]) {
    expect(WAIT_STATES.filter((one) => one === state)).toEqual([state]);
  }
});
