import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderExplain } from '../../../src/cli/explain/render-explain.ts';
import { displayWidth } from '../../../src/cli/render/width.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import { hostileEntry, withoutPaint } from './hostile.ts';
import { entry, explained, fullRoll, NOW, pane, roll } from './samples.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const explain = (shown: SessionEntry, columns: number | null = 100) =>
  renderExplain(fullRoll(), shown, { columns, isColor: false, now: NOW });

describe('an explanation', () => {
  it('shows everything that led to the verdict', () => {
    expect(explain(explained())).toMatchInlineSnapshot(`
      "login-form  working · active · for 12m

        agent     claude 2.1.37, pid 4242, conversation 6f1c0b52
        session   $7, created 3h ago (2026-03-04 07:00)
        server    default (tmux 3.3a, pid 812, /tmp/tmux-1000/default)
        task      #241
        attached  nobody
        memory    312 MiB

      WHY
        agent     5s ago  claude ended its turn, but 1 of its background tasks still run
                          [background-tasks]
        process   2s ago  node (pid 4410) uses 84% of a core [progress]

      EVIDENCE
        agent     5s ago  %3: claude 2.1.37 (pid 4242), conversation 6f1c0b52, resumable with: claude
                          --resume 6f1c0b52, its hooks are not installed
        agent     5s ago  %3: shell (the turn is over, waits for nothing, 1 in the background, no draft,
                          ready for a prompt, since 40s ago)
        tmux      2s ago  %3: alive, last output 40s ago, full-screen program, title “✳ Fix the login
                          form”
        process   2s ago  %3: 4 processes (bash, claude, node, chromium), 87% CPU, 532 MiB, 1 outside the
                          tree
        screen    2s ago  %3: the line at the cursor is not a shell prompt that rollcall knows; last line
                          “>”
        tmux      2s ago  %4: dead, its program ended with status 2
        people    2s ago  nobody is attached, last attached 2h ago
        git      20s ago  %3: /home/ada/shop on branch login-form, a linked worktree, 4 files not
                          committed, 1 commit not pushed
        history      now  %3: seen 14 times, not quiet, claude was seen here
        declared     now  neither started nor adopted by rollcall

      CLOSING CHECKLIST
        what closing would lose: prevents every close
        ✓ tmux answers for every pane, just now and without contradiction [seen-now]
        ✗ it is working [at-rest]
        ? seen quiet for under 1 s so far; 10 s are asked for [confirmed]
        what is unfinished: holds up automatic closing only
        ✗ 4 files are not committed [work-saved]
        → It would take: its turn to be over or its program to end; to be seen quiet for a while longer.
          Automatic closing also waits for: everything committed and pushed.

      PROTECTIONS
        • rollcall neither started nor adopted it, so it is never closed automatically [not-managed]

      PANES AND PROCESSES
        %3  working · claude · pid 4240 · window 0, pane 0, in front
          title     ✳ Fix the login form
          folder    /home/ada/shop
              PID    CPU    MEM  RELATION    COMMAND
             4240     0%   4.0M  root        bash
             4242     3%   298M  foreground  └ claude --continue
             4410    84%   140M  background    └ node node_modules/.bin/vitest --watch
             4499      -    90M  outside     chromium --headless
          last on its screen
          │ ● The form now keeps its values.
          │
          │   1 shell still running
          │ >

        %4  exited · no program · pid 4300 · window 0, pane 1
          folder    not known
          ended     with status 2

      Next: rollcall watch (live) · rollcall --json (for programs)
      "
    `);
  });

  it('breaks long texts under where they began', () => {
    expect(explain(explained(), 50)).toMatchInlineSnapshot(`
      "login-form  working · active · for 12m

        agent     claude 2.1.37, pid 4242, conversation
                  6f1c0b52
        session   $7, created 3h ago (2026-03-04 07:00)
        server    default (tmux 3.3a, pid 812,
                  /tmp/tmux-1000/default)
        task      #241
        attached  nobody
        memory    312 MiB

      WHY
        agent     5s ago  claude ended its turn, but 1
                          of its background tasks still
                          run [background-tasks]
        process   2s ago  node (pid 4410) uses 84% of a
                          core [progress]

      EVIDENCE
        agent     5s ago  %3: claude 2.1.37 (pid 4242),
                          conversation 6f1c0b52,
                          resumable with: claude
                          --resume 6f1c0b52, its hooks
                          are not installed
        agent     5s ago  %3: shell (the turn is over,
                          waits for nothing, 1 in the
                          background, no draft, ready
                          for a prompt, since 40s ago)
        tmux      2s ago  %3: alive, last output 40s
                          ago, full-screen program,
                          title “✳ Fix the login form”
        process   2s ago  %3: 4 processes (bash, claude,
                          node, chromium), 87% CPU, 532
                          MiB, 1 outside the tree
        screen    2s ago  %3: the line at the cursor is
                          not a shell prompt that
                          rollcall knows; last line “>”
        tmux      2s ago  %4: dead, its program ended
                          with status 2
        people    2s ago  nobody is attached, last
                          attached 2h ago
        git      20s ago  %3: /home/ada/shop on branch
                          login-form, a linked worktree,
                          4 files not committed, 1
                          commit not pushed
        history      now  %3: seen 14 times, not quiet,
                          claude was seen here
        declared     now  neither started nor adopted by
                          rollcall

      CLOSING CHECKLIST
        what closing would lose: prevents every close
        ✓ tmux answers for every pane, just now and
          without contradiction [seen-now]
        ✗ it is working [at-rest]
        ? seen quiet for under 1 s so far; 10 s are
          asked for [confirmed]
        what is unfinished: holds up automatic closing
        only
        ✗ 4 files are not committed [work-saved]
        → It would take: its turn to be over or its
          program to end; to be seen quiet for a while
          longer. Automatic closing also waits for:
          everything committed and pushed.

      PROTECTIONS
        • rollcall neither started nor adopted it, so it
          is never closed automatically [not-managed]

      PANES AND PROCESSES
        %3  working · claude · pid 4240 · window 0, pane
            0, in front
          title     ✳ Fix the login form
          folder    /home/ada/shop
              PID    CPU    MEM  RELATION    COMMAND
             4240     0%   4.0M  root        bash
             4242     3%   298M  foreground  └ claude -…
             4410    84%   140M  background    └ node n…
             4499      -    90M  outside     chromium -…
          last on its screen
          │ ● The form now keeps its values.
          │
          │   1 shell still running
          │ >

        %4  exited · no program · pid 4300 · window 0,
            pane 1
          folder    not known
          ended     with status 2

      Next: rollcall watch (live) · rollcall --json (for
      programs)
      "
    `);
  });

  it('into a pipe neither breaks nor cuts anything', () => {
    const text = explain(explained(), null);
    expect(text).toContain('--resume 6f1c0b52, its hooks are not installed\n');
    expect(text).toContain('└ node node_modules/.bin/vitest --watch\n');
  });

  it('says that a fully proven session may be closed, and what stands against it otherwise', () => {
    const checks: Check[] = [{ code: 'seen-now', kind: 'would-lose', state: 'met', text: 'seen' }];
    const protections = [{ code: 'held', text: 'held by ada' }];
    expect(explain(entry('a', { checks }))).toContain('→ Every check is met: it may be closed.');
    expect(explain(entry('a', { checks, protections }))).toContain('only the protections below prevent');
    expect(explain(entry('a', { checks: [] }))).toContain('No check was made, so it is not closed.');
    const odd: Check[] = [
      { code: 'moon-phase', kind: 'would-lose', state: 'unmet', text: 'the moon is full' },
    ];
    expect(explain(entry('a', { checks: odd }))).toContain('→ It would take: moon-phase.');
  });

  describe('number 4: tells what would be lost from what is merely unfinished', () => {
    const seen: Check = { code: 'seen-now', kind: 'would-lose', state: 'met', text: 'seen' };
    const unrested: Check = {
      code: 'rested',
      kind: 'unfinished',
      state: 'unmet',
      text: 'it has rested for 1 s',
    };
    const brief: Check = {
      code: 'confirmed',
      kind: 'would-lose',
      state: 'unknown',
      text: 'seen quiet for 1 s',
    };
    const said = (checks: Check[], over: Partial<SessionEntry> = {}) =>
      explain(entry('a', { checks, ...over }), null);

    it('in two groups, whatever the order of the checks', () => {
      expect(said([unrested, seen])).toContain(
        [
          '  what closing would lose: prevents every close',
          '  ✓ seen [seen-now]',
          '  what is unfinished: holds up automatic closing only',
          '  ✗ it has rested for 1 s [rested]',
          '  → Nothing would be lost: asked by name, rollcall close closes it. Automatic closing waits for: more rest.',
        ].join('\n'),
      );
    });

    it('and when a close by name would go, with what it waits for', () => {
      const kept = {
        protections: [
          { code: 'retained', text: 'kept' },
          { code: 'not-managed', text: 'not ours' },
        ],
      };
      expect(said([seen, unrested], kept)).toContain('rollcall close closes it. Automatic');
      expect(said([brief])).toContain('closes it once it was seen quiet for a while longer.\n');
      const held = { protections: [{ code: 'held', text: 'held' }] };
      expect(said([brief, unrested], held)).toContain(
        'closes it once it was seen quiet for a while longer and the protections below are set aside. Automatic',
      );
    });
  });

  it('says what is absent instead of leaving a blank', () => {
    const bare = explain(entry('a', { agent: null, memoryBytes: null }));
    expect(bare).toMatch(/agent +none/);
    expect(bare).toMatch(/memory +not known/);
    expect(bare).toMatch(/EVIDENCE\n +none/);
    expect(bare).toMatch(/PROTECTIONS\n +none/);
    expect(bare).toMatch(/PROCESSES\n +none/);
  });

  it('tells an agent that has exited, and until when a session is kept', () => {
    const agent = { kind: 'codex', version: null, conversation: null, pid: null };
    const kept = explain(entry('a', { agent, retainedUntil: NOW, attached: 2 }));
    expect(kept).toContain('codex, has exited');
    expect(kept).toContain('until 2026-03-04 10:00');
    expect(kept).toContain('2 clients');
  });

  it('shows what was declared, with its age, and nothing where nothing was', () => {
    const at = NOW - 120_000;
    const standing = { kind: 'standing', source: 'declared', observedAt: NOW, isOwnSession: false } as const;
    const said = {
      ...{
        origin: { at, how: 'adopted' as const },
        claims: { branch: 'topic', worktree: '/w', pr: '7', task: 't' },
      },
      ...{ held: { at, reason: 'mine' }, retained: { at, until: NOW, reason: null }, closing: { at } },
      completion: {
        at,
        outcome: 'done',
        evidence: 'tests pass',
        blockers: [{ code: 'clean', text: '2 files' }],
      },
      gates: [
        { at, id: 'aaaaaaaa', task: 'parser', expiresAt: NOW + 60_000, missing: ['x exists'], stale: null },
        { at, id: 'bbbbbbbb', task: null, expiresAt: NOW, missing: [], stale: null },
        {
          ...{ at, id: 'cccccccc', task: null, expiresAt: NOW + 60_000, missing: [] },
          stale: { at, code: 'budget-spent', text: 'spent' },
        },
      ],
    } as const;
    const text = explain(entry('a', { evidence: [{ ...standing, isManaged: true, ...said }] }));
    const [, section = ''] = text.split('DECLARED\n');
    expect(
      section
        .split('\n\n')[0]
        ?.split('\n')
        .map((row) => row.trim().replace(/ +/g, ' ')),
    ).toEqual([
      'adopted 2m ago',
      'branch topic',
      'worktree /w',
      'pr 7',
      'held 2m ago: mine',
      'retained 2m ago, until 2026-03-04 10:00',
      'complete done, 2m ago: tests pass; not accepted: 2 files',
      'gate parser (aaaaaaaa), until 2026-03-04 10:01; missing: x exists',
      'gate unfinished work (cccccccc), until 2026-03-04 10:01; let go all the same',
      'closing since 2m ago',
    ]);
    const open = {
      retained: { at, until: null, reason: 'review' },
      completion: { ...said.completion, blockers: [] },
    };
    const other = explain(entry('a', { evidence: [{ ...standing, isManaged: false, ...open }] }));
    expect(other).toMatch(/retained +2m ago, until somebody says otherwise: review/);
    expect(other).not.toContain('not accepted');
    expect(explain(entry('a', { evidence: [{ ...standing, isManaged: false }] }))).not.toContain('DECLARED');
    expect(explain(entry('a'))).not.toContain('DECLARED');
  });

  it('says of a lost session that there is nothing to close', () => {
    expect(explain(entry('a', { lifecycle: 'lost' }))).toContain('→ It is gone: there is nothing to close.');
  });

  it('says how a pane ended, also when tmux did not tell', () => {
    const dead = (changes: object) => explain(entry('a', { panes: [pane({ isDead: true, ...changes })] }));
    expect(dead({ exitStatus: 3 })).toMatch(/ended +with status 3/);
    expect(dead({ exitSignal: 'KILL' })).toMatch(/ended +by signal KILL/);
    expect(dead({})).toMatch(/ended +tmux did not report how/);
    expect(explain(entry('a', { panes: [pane()] }))).toMatch(/processes +not seen/);
  });

  it('shows the problems of its own server and no others', () => {
    const mine = { code: 'x', text: 'this server is slow', socketPath: '/tmp/tmux-1000/default' };
    const other = { code: 'x', text: 'another is stopped', socketPath: '/elsewhere' };
    const shown = entry('a');
    const text = renderExplain(roll([shown], { problems: [mine, other] }), shown, {
      columns: 80,
      isColor: false,
      now: NOW,
    });
    expect(text).toContain('! this server is slow');
    expect(text).not.toContain('another');
  });

  it('ends with next steps that exist', () => {
    expect(explain(entry('a')).trimEnd().split('\n').at(-1)).toBe(
      'Next: rollcall watch (live) · rollcall --json (for programs)',
    );
  });

  it('S54: of a hostile session sends no raw control byte and no line wider than the terminal', () => {
    fc.assert(
      fc.property(hostileEntry(), fc.option(fc.integer({ min: 1, max: 120 })), (shown, columns) => {
        const text = withoutPaint(renderExplain(roll([shown]), shown, { columns, isColor: true, now: NOW }));
        expect(text).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
        );
        for (const row of text.split('\n'))
          expect(displayWidth(row)).toBeLessThanOrEqual(columns ?? Infinity);
      }),
      { numRuns: 30 },
    );
  });
});
