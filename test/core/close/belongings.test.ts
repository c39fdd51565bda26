import { expect, it } from 'vitest';
import { belongingsBody, readClosing } from '../../../src/core/close/bodies.ts';

const one = (pid: number) => ({ pid, startTicks: 2, program: 'sh', paneId: '%1' });

it('keeps what a close may end, and reads it again', () => {
  const recorded = { paneIds: ['%1'], processes: [one(300), one(301)] };
  expect(readClosing(belongingsBody(recorded.paneIds, recorded.processes))).toMatchObject({
    panes: recorded.paneIds,
    processes: recorded.processes,
  });
});

it('S57: has its bounds', () => {
  const many = Array.from({ length: 2000 }, (_, index) => one(1000 + index));
  const body = belongingsBody(['%1'], many);
  expect(readClosing(body).processes).toHaveLength(500);
});

it('takes nothing that it does not understand', () => {
  const whole = { pid: 1, startTicks: 2, program: 'sh', paneId: '%1' };
  const broken = ['pid', 'startTicks', 'program', 'paneId'].map((key) => ({ ...whole, [key]: null }));
  expect(readClosing({ panes: ['%1', 7], processes: [whole, ...broken, 'x', null] })).toMatchObject({
    panes: ['%1'],
    processes: [whole],
  });
  expect(readClosing({})).toMatchObject({ panes: [], processes: [] });
});
