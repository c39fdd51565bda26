import { describe, expect, it } from 'vitest';
import { paneNamedIn, serverNamedIn } from '../../../src/core/sight/marks.ts';

describe('the pane that an environment names', () => {
  it.each([
    [
      { TMUX: '/tmp/tmux-0/default,42,7', TMUX_PANE: '%3' },
      { serverPid: 42, paneId: '%3' },
    ],
    [
      { TMUX: '/tmp/a,b/default,42,7', TMUX_PANE: '%3' },
      { serverPid: 42, paneId: '%3' },
    ],
    [{ TMUX: '/tmp/tmux-0/default,42,7' }, null],
    [{ TMUX_PANE: '%3' }, null],
    [{ TMUX: '', TMUX_PANE: '%3' }, null],
    [{ TMUX: 'nonsense', TMUX_PANE: '%3' }, null],
    [{}, null],
  ])('S7: %j is %j', (env, pane) => {
    expect(paneNamedIn(env)).toEqual(pane);
  });

  it('S5: and its server, also where no pane is named', () => {
    expect(serverNamedIn({ TMUX: '/tmp/tmux-0/default,42,7' })).toBe(42);
    expect(serverNamedIn({ TMUX: '/tmp/tmux-0/default,0,7' })).toBeNull();
  });
});
