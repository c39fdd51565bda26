import { expect, it } from 'vitest';
import { belongingsBody, belongingsIn } from '../../../src/core/close/belongings.ts';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { agent, NOW, note, onPane, pane, processes, shell } from '../../support/evidence.ts';
import { entry } from './entry.ts';

const own = onPane('%1', [pane(), processes([shell({ pid: 300 }), agent({ pid: 301 })])]);
const shared = onPane('%2', [pane({ isWindowShared: true }), processes([note({ pid: 400 })])]);

it('keeps what belongs to the panes that are its own, and reads it again', () => {
  const body = belongingsBody(closingPanes(entry([...own, ...shared]), NOW.at));
  const { paneIds, processes: kept } = belongingsIn(body);
  expect(paneIds).toEqual(['%1']);
  expect(kept.map(({ pid, paneId }) => [pid, paneId])).toEqual([
    [300, '%1'],
    [301, '%1'],
  ]);
});

it('S57: has its bounds', () => {
  const many = processes(Array.from({ length: 2000 }, (_, index) => note({ pid: 1000 + index })));
  const body = belongingsBody(closingPanes(entry(onPane('%1', [pane(), many])), NOW.at));
  expect(belongingsIn(body).processes).toHaveLength(500);
});

it('takes nothing that it does not understand', () => {
  const whole = { pid: 1, startTicks: 2, program: 'sh', paneId: '%1' };
  const broken = ['pid', 'startTicks', 'program', 'paneId'].map((key) => ({ ...whole, [key]: null }));
  expect(belongingsIn({ panes: ['%1', 7], processes: [whole, ...broken, 'x', null] })).toEqual({
    paneIds: ['%1'],
    processes: [whole],
  });
  expect(belongingsIn({})).toEqual({ paneIds: [], processes: [] });
});
