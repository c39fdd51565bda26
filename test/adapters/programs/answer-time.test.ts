import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answerTime } from '../../../src/adapters/programs/run-program.ts';

function spin(ms: number): void {
  const busyUntil = performance.now() + ms;
  while (performance.now() < busyUntil);
}

test('S32: an answer that takes a few turns of a busy loop to be read is not late', async () => {
  let isLate = false;
  const callOff = answerTime(20, () => {
    isLate = true;
  });
  for (let turn = 0; turn < 4; turn++) {
    spin(100);
    await setImmediate();
  }
  expect(isLate).toBe(false);
  callOff();
});

test('says that there is none, once, and not after it was called off', async () => {
  const said: string[] = [];
  answerTime(1, () => said.push('off'))();
  await new Promise<void>((resolve) => {
    answerTime(1, () => {
      said.push('late');
      resolve();
    });
  });
  expect(said).toEqual(['late']);
});
