import { describe, expect, it } from 'vitest';
import type { ScreenSighting } from '../../../src/core/sight/sighting.ts';
import { createScreenKeeper, type WantedPane } from '../../../src/engine/look/screen-keeper.ts';

const NOW = 1_800_000_000_000;
const server = { socketPath: '/s', pid: 9, observedAt: NOW };
const pane = (over: Partial<WantedPane> = {}): WantedPane => ({
  ...{ paneId: '%1', pid: 100, lastOutputAt: NOW - 5000, ...over },
});

/** A keeper, and the panes that it had captured, call by call. */
function keeper(state: (paneId: string) => Partial<ScreenSighting> = () => ({ state: 'captured' })) {
  const calls: string[][] = [];
  const screens = createScreenKeeper(async (_, paneIds) => {
    calls.push([...paneIds]);
    const empty = { lines: [], styled: [], cursor: null };
    return paneIds.map(
      (paneId) => ({ paneId, observedAt: NOW, ...empty, ...state(paneId) }) as ScreenSighting,
    );
  });
  return { screens, calls };
}

describe('a screen', () => {
  it('is captured once as long as nothing is written', async () => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane()]);
    const later = { ...server, observedAt: NOW + 60_000 };
    const again = await screens.screensOf(later, [pane()]);
    expect(calls).toEqual([['%1']]);
    expect(again.get('%1')).toMatchObject({ state: 'captured', observedAt: NOW + 60_000 });
  });

  it.each<[string, WantedPane]>([
    ['something was written', pane({ lastOutputAt: NOW + 3000 })],
    ['something may have been written in the second of the capture', pane({ lastOutputAt: NOW - 1000 })],
    ['tmux does not tell when something was written', { paneId: '%1', pid: 100 }],
    ['another program is in the pane', pane({ pid: 101 })],
  ])('is captured again when %s', async (_, changed) => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane()]);
    await screens.screensOf(server, [changed]);
    expect(calls).toHaveLength(2);
  });

  it('is captured again when the clock was set back, and something was written since', async () => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane()]);
    const later = { ...server, observedAt: NOW + 1000 };
    await screens.screensOf(later, [pane({ lastOutputAt: NOW - 60_000 })]);
    expect(calls).toHaveLength(2);
  });

  it('is captured again while the clock shows an earlier time than its capture', async () => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane()]);
    await screens.screensOf({ ...server, observedAt: NOW - 1 }, [pane()]);
    expect(calls).toHaveLength(2);
  });

  it('S3: of another server is not taken for this one', async () => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane()]);
    await screens.screensOf({ ...server, pid: 10 }, [pane()]);
    expect(calls).toHaveLength(2);
  });

  it('is captured together with the others that changed, and only with them', async () => {
    const { screens, calls } = keeper();
    await screens.screensOf(server, [pane(), pane({ paneId: '%2' }), pane({ paneId: '%3' })]);
    const changed = pane({ paneId: '%2', lastOutputAt: NOW });
    const all = await screens.screensOf(server, [pane(), changed, pane({ paneId: '%4' })]);
    expect(calls).toEqual([
      ['%1', '%2', '%3'],
      ['%2', '%4'],
    ]);
    expect([...all.keys()].sort()).toEqual(['%1', '%2', '%4']);
  });

  it('S33: that could not be captured is asked for again', async () => {
    const { screens, calls } = keeper(() => ({ state: 'failed', text: 'no' }) as Partial<ScreenSighting>);
    expect((await screens.screensOf(server, [pane()])).get('%1')).toMatchObject({ state: 'failed' });
    await screens.screensOf(server, [pane()]);
    expect(calls).toHaveLength(2);
  });
});
