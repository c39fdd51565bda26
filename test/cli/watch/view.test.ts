import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printLine } from '../../../src/cli/render/line.ts';
import { displayWidth } from '../../../src/cli/render/width.ts';
import { view } from '../../../src/cli/watch/view.ts';
import { hostileRoll, hostileText, withoutPaint } from '../render/hostile.ts';
import { entry, fullRoll, roll } from '../render/samples.ts';
import { Stage } from './stage.ts';

describe('the screen', () => {
  it('shows the roll, the selected session in full, and the keys', () => {
    const stage = new Stage(80, 18).looked(fullRoll().sessions).type('jj');
    expect(stage.screen).toMatchInlineSnapshot(`
      "6 sessions · 1 waiting for you · 1 working · 1 stale · 1 unknown        seen now

        NAME          AGENT   ACTIVITY  LIFECYCLE      SINCE  WHY
        payments      codex   exited    stale             3h  4 files are not committ…
        login-form    claude  waiting   active            4m  claude says it is waiti…
      › deploy        -       unknown   unknown          40s  ssh (pid 991) runs work…
        review-318    claude  exited    safe-to-close    26h  finished: nothing runs,…
        search-index  claude  working   active           12m  vitest (pid 4410) uses …
        notes         -       none      active            9s  vim (pid 77) is open in…





      › deploy · unknown · unknown for 40s · 9.0 MiB
        ssh (pid 991) runs work that cannot be seen from here

      q quit  ? help  ↑↓ select  Enter explain  / filter  l lifecycle  r look now"
    `);
  });

  it('at 60 columns and 12 rows still reads', () => {
    expect(new Stage(60, 12).looked(fullRoll().sessions).screen).toMatchInlineSnapshot(`
      "6 sessions · 1 waiting for you · 1 working          seen now

        NAME          ACTIVITY  LIFECYCLE      WHY
      › payments      exited    stale          4 files are not co…
        login-form    waiting   active         claude says it is …
        deploy        unknown   unknown        ssh (pid 991) runs…
        review-318    exited    safe-to-close  finished: nothing …
        search-index  working   active         vitest (pid 4410) …
        ↓ 1 below
      › payments · exited · stale for 3h · codex · 6.0 MiB
        4 files are not committed
      q quit  ? help  ↑↓ select  Enter explain  / filter"
    `);
  });

  it('tells how many sessions are above and below', () => {
    const names = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const stage = new Stage(80, 16).looked(names);
    expect(stage.screen).toContain('↓ 22 below');
    expect(stage.screen).not.toContain('above');
    expect(stage.type('\u001b[6~j').screen).toContain('↑ 2 above · ↓ 20 below');
    expect(stage.type('G').screen).toMatch(/↑ 22 above$/m);
  });

  it('before the first look says what it is doing', () => {
    const stage = new Stage(40, 6).happen({ type: 'look-began', isThorough: false });
    expect(stage.screen).toContain('Taking the roll…');
    expect(stage.happen({ type: 'look-failed', text: 'tmux hung' }).screen).toContain(
      'could not look: tmux hung',
    );
  });

  it('without tmux helps a newcomer', () => {
    const stage = new Stage().happen({
      ...{ type: 'looked', hidden: 0, isThorough: false },
      roll: roll([], { servers: [] }),
    });
    expect(stage.screen).toContain('rollcall demo');
  });

  it('counts what a filter on the command line hides', () => {
    expect(new Stage().looked(['a'], { hidden: 4 }).screen).toContain('4 hidden by the filter');
    expect(new Stage().looked([], { hidden: 4 }).screen).toContain(
      'No session matches the filter; 4 sessions',
    );
  });

  it('shows two problems and the number of the others', () => {
    const problems = ['one', 'two', 'three', 'four'].map((text) => ({ code: 'x', text }));
    const stage = new Stage().happen({
      ...{ type: 'looked', hidden: 0, isThorough: false },
      roll: roll([entry('a')], { problems }),
    });
    expect(stage.screen).toContain('! one\n! two (+2 more)\n');
  });

  it.each([
    [10, 3],
    [1, 1],
    [2, 2],
    [0, 0],
    [300, 1],
    [5, 40],
  ])('of %i columns and %i rows is filled and not overrun, on every page', (columns, rows) => {
    for (const keys of ['', 'e', '?', '/abc', 'l']) {
      const stage = new Stage(columns, rows).looked(fullRoll().sessions).type(keys);
      expect(stage.lines).toHaveLength(rows);
      for (const text of stage.lines) expect(displayWidth(text)).toBeLessThanOrEqual(columns);
    }
  });

  it('of three rows still shows the selected session', () => {
    expect(new Stage(40, 3).looked(['a', 'b', 'c']).type('jj').screen).toContain('› c ');
    expect(new Stage(10, 1).looked(['a', 'b', 'c']).type('jj').screen).toContain('› c');
  });

  it('S54: of a hostile roll fits any size and holds no raw control byte', () => {
    const keys = fc.array(fc.constantFrom('e', '?', 'l', '/', 'x', 'j', 'G', '\u001b', '\r', 'q'), {
      maxLength: 6,
    });
    const size = fc.record({ columns: fc.nat(130), rows: fc.nat(45) });
    fc.assert(
      fc.property(hostileRoll(), size, keys, hostileText(), (shown, { columns, rows }, typed, text) => {
        const stage = new Stage(columns, rows);
        stage.happen({ type: 'looked', roll: shown, hidden: 0, isThorough: false });
        stage.type('/').type('\u001b').happen({ type: 'look-failed', text });
        for (const key of typed) stage.type(key);
        const lines = view(stage.state).map((pieces) => withoutPaint(printLine(pieces, true)));
        expect(lines).toHaveLength(rows);
        for (const one of lines) {
          expect(displayWidth(one)).toBeLessThanOrEqual(columns);
          expect(one).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        }
      }),
      { numRuns: 40 },
    );
  });
});
