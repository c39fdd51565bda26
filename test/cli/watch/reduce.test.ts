import { describe, expect, it } from 'vitest';
import { entry, explained } from '../render/samples.ts';
import { DOWN, ENTER, ESCAPE, PAGE_DOWN, PAGE_UP, Stage, UP } from './stage.ts';

const many = (amount: number) => Array.from({ length: amount }, (_, index) => `s${index}`);

describe('selecting', () => {
  it('begins with the worst session and stays inside the roll', () => {
    const stage = new Stage().looked(['a', 'b', 'c']);
    expect(stage.selected).toBe('a');
    expect(stage.type(UP).selected).toBe('a');
    expect(stage.type(DOWN).selected).toBe('b');
    expect(stage.type('jj').selected).toBe('c');
    expect(stage.type('k').selected).toBe('b');
    expect(stage.type('G').selected).toBe('c');
    expect(stage.type('g').selected).toBe('a');
  });

  it('follows the session when the order changes', () => {
    const stage = new Stage().looked(['a', 'b', 'c']).type('j').looked(['c', 'a', 'x', 'b']);
    expect(stage.selected).toBe('b');
    expect(stage.state.selectedIndex).toBe(3);
  });

  it('stays at its place when the session is gone', () => {
    const stage = new Stage().looked(['a', 'b', 'c']).type('j').looked(['a', 'c']);
    expect(stage.selected).toBe('c');
    expect(stage.looked(['a']).selected).toBe('a');
  });

  it('comes back to its session after a look that saw nothing', () => {
    expect(new Stage().looked(['a', 'b']).type('j').looked([]).looked(['a', 'b']).selected).toBe('b');
  });

  it('scrolls by pages and keeps the selection on the screen', () => {
    const stage = new Stage(80, 10).looked(many(50));
    for (const keys of [PAGE_DOWN, PAGE_DOWN, DOWN, 'G', PAGE_UP, UP, 'g']) {
      stage.type(keys);
      expect(stage.screen).toContain(`› ${stage.selected} `);
    }
    stage.type('G').happen({ type: 'resized', columns: 80, rows: 6 });
    expect(stage.screen).toContain('› s49 ');
    stage.happen({ type: 'resized', columns: 80, rows: 60 });
    expect(stage.state.top).toBe(0);
  });
});

describe('filtering', () => {
  it('narrows while typing; Enter keeps it, Escape clears it', () => {
    const stage = new Stage().looked(['api', 'web', 'api-tests']).type('/API');
    expect(stage.screen).not.toContain(' web ');
    expect(stage.screen).toContain('/API▏');
    expect(stage.type(ENTER).screen).toContain('only “API”');
    expect(stage.type('j').selected).toBe('api-tests');
    expect(stage.type(ESCAPE).screen).toContain(' web ');
    expect(stage.type('/x').type(ESCAPE).state.filterText).toBe('');
  });

  it('takes letters that are commands elsewhere as text, and arrows as arrows', () => {
    const stage = new Stage().looked(['quick', 'quiet']).type('/qui').type(DOWN);
    expect(stage.state.isOver).toBe(false);
    expect(stage.selected).toBe('quiet');
  });

  it('can be corrected, also behind a wide character', () => {
    const stage = new Stage().looked(['a']).type('/a👍\u007f\u007f');
    expect(stage.state.filterText).toBe('');
    expect(stage.type('xyz\u0015').state.filterText).toBe('');
    expect(stage.type('x'.repeat(500)).state.filterText).toHaveLength(200);
  });

  it('asks for every word, anywhere in the row', () => {
    const sessions = [entry('api', { task: '#7' }), entry('web', { task: '#7' }), entry('api-2')];
    const stage = new Stage().looked(sessions).type('/#7 api');
    expect(stage.screen).toContain('1 session ');
    expect(stage.screen).toContain('2 hidden by the filter');
  });

  it('l goes through the lifecycles that there are, worst first, and back to all', () => {
    const sessions = [
      entry('a', { lifecycle: 'stale' }),
      entry('b', { lifecycle: 'safe-to-close' }),
      entry('c'),
    ];
    const stage = new Stage().looked(sessions);
    const seen = [0, 1, 2, 3].map(() => stage.type('l').state.lifecycle);
    expect(seen).toEqual(['stale', 'safe-to-close', 'active', null]);
    expect(stage.type('ll').screen).toContain('only safe-to-close');
    expect(stage.type(ESCAPE).state.lifecycle).toBeNull();
  });
});

describe('explaining', () => {
  it('opens with what is known, asks for a thorough look, and takes it when it comes', () => {
    const stage = new Stage(80, 24).looked([entry('other'), entry('login-form')]).type('je');
    expect(stage.state.page).toMatchObject({ kind: 'explain', wantsLook: true, isThorough: false });
    stage.happen({ type: 'look-began', isThorough: true });
    expect(stage.state.page).toMatchObject({ wantsLook: false });
    expect(stage.screen).toContain('looking closer…');
    stage.looked([entry('other'), explained()], { isThorough: true });
    expect(stage.screen).toContain('conversation 6f1c0b52');
    expect(stage.screen).not.toContain('looking');
  });

  it('keeps what a thorough look saw when ordinary looks follow', () => {
    const stage = new Stage().looked(['login-form']).type(ENTER).looked([explained()], { isThorough: true });
    expect(stage.looked(['login-form']).screen).toContain('conversation 6f1c0b52');
  });

  it('scrolls no further than its end, and back at once', () => {
    const stage = new Stage(80, 12).looked([explained()]).type(ENTER);
    const first = stage.screen;
    const last = stage.type('G').screen;
    expect(last).not.toBe(first);
    expect(stage.type(`${DOWN}${PAGE_DOWN}jjj`).screen).toBe(last);
    expect(stage.type('k').screen).not.toBe(last);
    expect(stage.type('g').screen).toBe(first);
  });

  it('scrolls on from what is on the screen after the window has grown', () => {
    const stage = new Stage(80, 12).looked([explained()]).type(`${ENTER}G`);
    const grown = stage.happen({ type: 'resized', columns: 80, rows: 20 }).screen;
    expect(stage.type('k').screen).not.toBe(grown);
  });

  it('says when the session is gone, and keeps showing it', () => {
    const stage = new Stage().looked([explained()]).type(ENTER).looked(['other']);
    expect(stage.screen).toContain('it is gone from the roll');
    expect(stage.screen).toContain('login-form');
    expect(stage.looked([explained()]).screen).not.toContain('gone');
  });

  it('goes back with Escape or q, without ending the watch, and asks again with r', () => {
    const stage = new Stage().looked(['a']).type('e').happen({ type: 'look-began', isThorough: true });
    expect(stage.type('r').state.page).toMatchObject({ wantsLook: true });
    expect(stage.type(ESCAPE).state.page.kind).toBe('roll');
    expect(stage.type('eq').state).toMatchObject({ page: { kind: 'roll' }, isOver: false });
  });

  it('does nothing when there is no session to explain', () => {
    expect(new Stage().looked([]).type(ENTER).state.page.kind).toBe('roll');
    expect(new Stage().type(ENTER).state.page.kind).toBe('roll');
  });
});

describe('everything else', () => {
  it('ends with q on the roll, and with an interrupt or a signal from everywhere', () => {
    expect(new Stage().looked(['a']).type('q').state.isOver).toBe(true);
    for (const keys of ['', 'e', '/', '?']) {
      expect(new Stage().looked(['a']).type(`${keys}\u0003`).state.isOver).toBe(true);
      expect(new Stage().looked(['a']).type(keys).happen({ type: 'ended' }).state.isOver).toBe(true);
    }
  });

  it('help comes back to where it was called', () => {
    const stage = new Stage().looked(['a']).type('e?');
    expect(stage.screen).toContain('rollcall watch: keys');
    expect(stage.type('x').screen).toContain('explain · all of it');
    stage.type('?').happen({ type: 'look-began', isThorough: true });
    expect(stage.state.page).toMatchObject({ kind: 'explain', wantsLook: false });
    stage.type('x');
    expect(stage.type('q?q').state).toMatchObject({ page: { kind: 'roll' }, isOver: false });
  });

  it('r asks for a look, which begins only once', () => {
    const stage = new Stage().looked(['a']).type('r');
    expect(stage.state.wantsLook).toBe(true);
    expect(stage.happen({ type: 'look-began', isThorough: false }).state.wantsLook).toBe(false);
  });

  it('a failed look keeps the roll, its age grows, and the next good look clears the error', () => {
    const stage = new Stage().looked(['a']);
    stage.now += 12_000;
    stage.happen({ type: 'look-began', isThorough: false }).happen({ type: 'look-failed', text: 'no /proc' });
    expect(stage.screen).toContain('› a ');
    expect(stage.screen).toContain('seen 12s ago');
    expect(stage.screen).toContain('! could not look: no /proc');
    expect(stage.looked(['a']).screen).not.toContain('could not look');
  });

  it('a slow look is shown with the time it takes, and keys work meanwhile', () => {
    const stage = new Stage().looked(['a', 'b']).happen({ type: 'look-began', isThorough: false });
    expect(stage.lines[0]).toMatch(/looking… · seen now$/);
    stage.now += 5000;
    expect(stage.type('j').lines[0]).toMatch(/looking… for 5s · seen 5s ago$/);
    expect(stage.selected).toBe('b');
  });
});
