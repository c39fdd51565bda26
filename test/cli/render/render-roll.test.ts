import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printLine } from '../../../src/cli/render/line.ts';
import { displayWidth } from '../../../src/cli/render/width.ts';
import { renderRoll } from '../../../src/cli/roll/render-roll.ts';
import { rollTable } from '../../../src/cli/roll/table.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import { hostileRoll, withoutPaint } from './hostile.ts';
import { entry, fullRoll, NOW, reason, roll } from './samples.ts';

const render = (shown: Roll, columns: number | null, changes: object = {}) =>
  renderRoll(shown, { columns, isColor: false, now: NOW, ...changes });
const lines = (text: string) => text.split('\n').slice(0, -1);

describe('the roll at each width', () => {
  it('at 120 columns shows every column', () => {
    expect(render(fullRoll(), 120)).toMatchInlineSnapshot(`
      "NAME          AGENT   ACTIVITY             LIFECYCLE      SINCE   MEM  TASK      WHY
      payments      codex   exited               stale             3h  6.0M  -         4 files are not committed
      login-form    claude  waiting: permission  active            4m  1.2G  #241      claude says it is waiting for permissi…
      deploy        -       unknown              unknown          40s  9.0M  -         ssh (pid 991) runs work that cannot be…
      review-318    claude  exited               safe-to-close    26h  4.0M  reviewer  finished: nothing runs, nothing is uns…
      search-index  claude  working              active           12m  312M  #250      vitest (pid 4410) uses 84% of a core
      notes         -       none                 active            9s     -  -         vim (pid 77) is open in a plain termin…

      6 sessions · 1 waiting for you · 1 working · 1 stale · 1 unknown · 1 safe to close · memory 14.2 of 23.4 GiB available
      "
    `);
  });

  it('at 80 columns leaves out memory and task', () => {
    expect(render(fullRoll(), 80)).toMatchInlineSnapshot(`
      "NAME          AGENT   ACTIVITY  LIFECYCLE      SINCE  WHY
      payments      codex   exited    stale             3h  4 files are not committed
      login-form    claude  waiting   active            4m  claude says it is waiting…
      deploy        -       unknown   unknown          40s  ssh (pid 991) runs work t…
      review-318    claude  exited    safe-to-close    26h  finished: nothing runs, n…
      search-index  claude  working   active           12m  vitest (pid 4410) uses 84…
      notes         -       none      active            9s  vim (pid 77) is open in a…

      6 sessions · 1 waiting for you · 1 working · 1 stale · 1 unknown
      1 safe to close · memory 14.2 of 23.4 GiB available
      "
    `);
  });

  it('at 60 columns still shows name, activity, lifecycle and a cut reason', () => {
    expect(render(fullRoll(), 60)).toMatchInlineSnapshot(`
      "NAME          ACTIVITY  LIFECYCLE      WHY
      payments      exited    stale          4 files are not comm…
      login-form    waiting   active         claude says it is wa…
      deploy        unknown   unknown        ssh (pid 991) runs w…
      review-318    exited    safe-to-close  finished: nothing ru…
      search-index  working   active         vitest (pid 4410) us…
      notes         none      active         vim (pid 77) is open…

      6 sessions · 1 waiting for you · 1 working · 1 stale
      1 unknown · 1 safe to close
      memory 14.2 of 23.4 GiB available
      "
    `);
  });

  it('at 40 columns shows name and lifecycle, and activity where it fits', () => {
    expect(render(fullRoll(), 40)).toMatchInlineSnapshot(`
      "NAME          ACTIVITY  LIFECYCLE
      payments      exited    stale
      login-form    waiting   active
      deploy        unknown   unknown
      review-318    exited    safe-to-close
      search-index  working   active
      notes         none      active

      6 sessions · 1 waiting for you
      1 working · 1 stale · 1 unknown
      1 safe to close
      memory 14.2 of 23.4 GiB available
      "
    `);
    const long = roll([entry('a-session-with-a-longer-name', { lifecycle: 'safe-to-close' })]);
    expect(lines(render(long, 40)).slice(0, 2)).toEqual([
      'NAME                LIFECYCLE      SINCE',
      'a-session…ger-name  safe-to-close    12m',
    ]);
  });

  it('into a pipe shows everything, uncut and with the same number of fields in each row', () => {
    expect(render(fullRoll(), null)).toMatchInlineSnapshot(`
      "NAME          AGENT   ACTIVITY             LIFECYCLE      SINCE   MEM  TASK      WHY
      payments      codex   exited               stale             3h  6.0M  -         4 files are not committed
      login-form    claude  waiting: permission  active            4m  1.2G  #241      claude says it is waiting for permission
      deploy        -       unknown              unknown          40s  9.0M  -         ssh (pid 991) runs work that cannot be seen from here
      review-318    claude  exited               safe-to-close    26h  4.0M  reviewer  finished: nothing runs, nothing is unsent, nothing would be lost
      search-index  claude  working              active           12m  312M  #250      vitest (pid 4410) uses 84% of a core
      notes         -       none                 active            9s     -  -         vim (pid 77) is open in a plain terminal

      6 sessions · 1 waiting for you · 1 working · 1 stale · 1 unknown · 1 safe to close · memory 14.2 of 23.4 GiB available
      "
    `);
    const table = lines(render(fullRoll(), null)).slice(0, 7);
    expect(table.map((row) => row.split(/ {2,}/).length)).toEqual(Array(7).fill(8));
  });

  it('keeps columns of wide characters in line', () => {
    const shown = roll([entry('漢字'), entry('👨\u200d👩\u200d👧 family'), entry('plain')]);
    const starts = lines(render(shown, 100))
      .slice(0, 4)
      .map((row) => displayWidth(row.slice(0, row.search(/AGENT|claude/))));
    expect(new Set(starts).size).toBe(1);
  });

  it('S54: keeps columns in line behind a name whose controls are shown as escapes', () => {
    const shown = roll([entry('bell\u0007'), entry('plain')]);
    const rows = lines(render(shown, 100)).slice(0, 3);
    expect(new Set(rows.map((row) => row.search(/AGENT|claude/))).size).toBe(1);
  });

  it('S9: cuts a name of 300 characters in the middle, so that both its ends can be told apart', () => {
    const long = `start-${'x'.repeat(288)}-finish`;
    for (const columns of [40, 60, 80, 120]) {
      const row = lines(render(roll([entry(long)]), columns))[1] ?? '';
      expect(row).toMatch(/^start-x*…x*(-f)?inish /);
      expect(displayWidth(row)).toBeLessThanOrEqual(columns);
    }
  });

  it('S9: into a pipe gives a name of 300 characters whole, without pushing the other rows apart', () => {
    const long = 'x'.repeat(300);
    const rows = lines(render(roll([entry(long), entry('short')]), null));
    expect(rows[1]).toMatch(`${long}  claude  `);
    expect(rows[2]).toMatch(/^short {37}claude /);
  });

  it.each(['-dash', 'a.b:c', 'two words', '#(touch x)', '#{session_name}', 'naïve', "quo'te"])(
    'S9: shows the name %s as it is',
    (name) => {
      expect(lines(render(roll([entry(name)]), 120))[1]).toMatch(new RegExp(`^${literally(name)} {2}`));
    },
  );
});

describe('what a row says', () => {
  it('gives the decisive reason and no other', () => {
    const reasons = [reason('long-unused', 'tmux', 'unused for 3 d'), reason('x', 'tmux', 'more')];
    expect(lines(render(roll([entry('a', { reasons })]), null))[1]).toMatch(/unused for 3 d$/);
  });

  it('leaves out the task column when nobody has one, and falls back to the role', () => {
    expect(render(roll([entry('a')]), null)).not.toContain('TASK');
    expect(render(roll([entry('a', { role: 'crew' })]), null)).toMatch(/TASK[\s\S]* crew /);
    expect(render(roll([entry('a', { role: 'crew', task: '#1' })]), null)).toContain('  #1 (crew)  ');
    const narrow = lines(render(roll([entry('a', { role: 'crew', task: 'fix login' })]), 100))[1];
    expect(narrow).toContain('fix login');
  });

  it('says of what is kept until when, and why', () => {
    const reasons = [reason('declared-complete', 'declared', 'declared complete 2 min ago')];
    const kept = { lifecycle: 'completed-retained', retainedUntil: NOW, reasons } as const;
    const why = (changes: object) => lines(render(roll([entry('a', { ...kept, ...changes })]), null))[1];
    expect(why({})).toMatch(/ until 2026-03-04 10:00: declared complete 2 min ago$/);
    expect(why({ retainedUntil: null })).toMatch(/ {2}declared complete 2 min ago$/);
    expect(why({ lifecycle: 'active' })).toMatch(/ {2}declared complete 2 min ago$/);
  });

  it('names servers only when there are several, and by path when labels are the same', () => {
    const other = { ...entry('x').server, label: 'work', socketPath: '/tmp/tmux-1000/work' };
    const twin = { ...entry('x').server, socketPath: '/run/user/1000/default' };
    expect(render(roll([entry('a'), entry('b')]), 120)).not.toContain('SERVER');
    expect(render(roll([entry('a'), entry('b', { server: other })]), 120)).toMatch(/b +work /);
    const twins = render(roll([entry('a'), entry('b', { server: twin })]), null);
    expect(twins).toContain('/run/user/1000/default');
    expect(twins).toContain('/tmp/tmux-1000/default');
    expect(twins).toContain('2 sessions on 2 servers');
  });

  it.each([
    [0, '0s'],
    [3_999, '3s'],
    [59_999, '59s'],
    [12 * 60_000, '12m'],
    [2 * 3_600_000, '2h'],
    [47 * 3_600_000, '47h'],
    [4 * 86_400_000, '4d'],
    [-5_000, '0s'],
  ])('says since %i ms as %s', (ms, words) => {
    expect(lines(render(roll([entry('a', { since: NOW - ms })]), 120))[1]).toMatch(` ${words} `);
  });

  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024 * 1023.9, '1.0M'],
    [34 * 1024 ** 2, '34M'],
    [1.25 * 1024 ** 3, '1.3G'],
    [9.96 * 1024 ** 3, '10G'],
    [null, '-'],
  ])('says a memory of %s bytes as %s', (memoryBytes, words) => {
    expect(lines(render(roll([entry('a', { memoryBytes })]), 120))[1]).toMatch(` ${words} `);
  });
});

describe('what stands below the table', () => {
  it('sums the roll up in one line', () => {
    expect(lines(render(fullRoll(), null)).at(-1)).toBe(
      '6 sessions · 1 waiting for you · 1 working · 1 stale · 1 unknown · 1 safe to close · memory 14.2 of 23.4 GiB available',
    );
  });

  it('says how many sessions a filter hides', () => {
    expect(render(roll([entry('a')]), null, { hidden: 4 })).toContain(
      '1 session · 1 working · 4 hidden by the filter',
    );
  });

  it('tells of problems with what to do about them', () => {
    const problems = [
      { code: 'server-timeout', text: 'tmux server work did not answer', hint: 'is it stopped?' },
    ];
    const text = render(roll([entry('a')], { problems }), 40);
    expect(lines(text).slice(-2)).toEqual(['! tmux server work did not answer', '  is it stopped?']);
  });
});

describe('an empty roll', () => {
  it('without any server says so and suggests the demo', () => {
    expect(render(roll([], { servers: [] }), 80)).toMatchInlineSnapshot(`
      "No tmux server is running for this user, so there is no session to show.

        rollcall demo             shows a full roll, with scripted sessions
        tmux new-session -s work  starts a session of your own
      "
    `);
  });

  it('behind a filter says that the filter did it', () => {
    expect(render(roll([]), 80, { hidden: 3 })).toBe(
      'No session matches the filter; 3 sessions are on the roll without it.\n',
    );
  });

  it('with a server that did not answer claims nothing about it', () => {
    const problems = [{ code: 'server-timeout', text: 'tmux server work did not answer' }];
    const text = render(roll([], { servers: [], problems }), 80);
    expect(text).toBe(
      'No tmux server gave an answer, so nothing is on the roll.\n\n! tmux server work did not answer\n',
    );
  });

  it('of a server without sessions says that', () => {
    const servers = [{ socketPath: '/s', label: 's', version: '3.3a' }];
    expect(render(roll([], { servers }), 80)).toContain('1 tmux server runs, but none has one');
  });
});

describe('colour', () => {
  it('is off unless asked for, and adds nothing but itself', () => {
    expect(render(fullRoll(), 80)).not.toContain('\u001b');
    const painted = render(fullRoll(), 80, { isColor: true });
    expect(painted).toContain('\u001b[33mstale');
    expect(withoutPaint(painted)).toBe(render(fullRoll(), 80));
  });

  it('and a mark show the selected session', () => {
    const { sessions } = fullRoll();
    const at = sessions.findIndex(({ name }) => name === 'deploy');
    const row = rollTable(sessions, { columns: 80, now: NOW, selectedKey: entry('deploy').key }).row(at);
    expect(printLine(row, false)).toMatch(/^› deploy/);
    expect(printLine(row, true)).toMatch(/^\u001b\[7m› deploy/);
  });
});

describe('a hostile roll', () => {
  it('S54: sends no raw control byte and no line wider than the terminal', () => {
    fc.assert(
      fc.property(
        hostileRoll(),
        fc.option(fc.integer({ min: 1, max: 140 })),
        fc.boolean(),
        (shown, columns, isColor) => {
          const text = renderRoll(shown, { columns, isColor, now: NOW });
          const plain = withoutPaint(text);
          expect(plain).not.toMatch(
            /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
          );
          for (const row of lines(plain)) expect(displayWidth(row)).toBeLessThanOrEqual(columns ?? Infinity);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('S54: shows an escape sequence in a name as text', () => {
    const name = 'x\u001b]52;c;aGk=\u0007\u202e';
    expect(render(roll([entry(name)]), 120)).toContain('x\\e]52;c;aGk=\\u{7}\\u{202e}');
  });
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
