import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResumeOf } from '../../../src/core/agent/resumption.ts';
import {
  type ArchiveParts,
  archiveDocument,
  keptEnvironment,
} from '../../../src/core/close/archive-document.ts';
import { readStarted } from '../../../src/core/close/bodies.ts';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { asLastSeen, type KeptDocument, readKept } from '../../../src/core/close/kept-document.ts';
import { aboutArchive, aboutEntry, type ReceiptParts, receiptBody } from '../../../src/core/close/receipt.ts';
import { reopeningOfStart as ofStart } from '../../../src/core/close/reopen-start.ts';
import {
  agentAlone,
  type Means,
  reopeningOf as madeFrom,
  type Reopening,
  resumeIn,
  withKnownAgent,
} from '../../../src/core/close/reopening.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import type { Start } from '../../../src/core/sight/start.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  exitedAgent,
  idleAgent,
  NOW,
  named,
  note,
  onPane,
  pane,
  processes,
  screen,
  shell,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

const LAYOUT = 'b25d,120x30,0,0,1';

function archived(evidence: readonly Evidence[], over: Partial<ArchiveParts> = {}): KeptDocument {
  const session = entry(evidence);
  const panes = session.panes.map(({ paneId, isActive }) => ({ paneId, isActive }));
  const document = archiveDocument({
    ...{ id: 'r1', at: NOW.at, entry: session, panes: closingPanes(session, NOW.at) },
    windows: [{ index: 2, name: 'main', isActive: true, layout: LAYOUT, panes }],
    startedAs: new Map([[300, { argv: ['claude', '--verbose'], cwd: '/project/sub' }]]),
    environments: new Map([[300, { HOME: '/home/me', LC_ALL: 'C', SECRET_KEY: 'x', PATH: '/bin' }]]),
    ...{ cut: new Set(['%1']), claims: null },
    ...over,
  });
  return readKept(JSON.parse(JSON.stringify(document)));
}

// As everything is that was kept: read first.
const reopeningOf = (document: object, resume?: readonly string[] | null, means?: Means) =>
  madeFrom(readKept(document), resume, means);
const reopeningOfStart = (
  session: Parameters<typeof ofStart>[0],
  body: JsonObject,
  ...more: [ResumeOf, Start?]
) => ofStart(session, readStarted(body), ...more);

const START: Start = {
  ...{ run: 'w', program: '/bin/claude', argv: ['claude', '--model', 'x', 'do it'], cwd: '/start' },
  ...{ env: { TOKEN: 't' }, isClean: true, remain: true },
};

describe('an archive', () => {
  it('holds the agent as it was started and how its conversation comes back', () => {
    expect(archived(idleAgent())).toMatchObject({
      version: 1,
      id: 'r1',
      session: { name: 'worker', sessionId: '$1' },
      panes: [
        {
          paneId: '%1',
          isHistoryCut: true,
          agent: {
            ...{ kind: 'claude', conversation: 'c-1', resume: ['claude', '--resume', 'c-1'] },
            ...{ argv: ['claude', '--verbose'], env: { HOME: '/home/me', LC_ALL: 'C' } },
          },
        },
      ],
      git: [{ branch: 'topic' }],
      verdict: { lifecycle: 'safe-to-close' },
    });
  });

  it('holds no variable that may be secret', () => {
    expect(JSON.stringify(archived(idleAgent()))).not.toMatch(/SECRET_KEY|PATH/);
    expect(keptEnvironment({ OPENCODE_CONFIG: 'a', OPENCODE_TOKEN: 'b', XDG_DATA_HOME: 'c' })).toEqual({
      ...{ OPENCODE_CONFIG: 'a', XDG_DATA_HOME: 'c' },
    });
  });

  it('holds every variable of its agent that is promised to come back', () => {
    const page = readFileSync(new URL('../../../docs/REOPENING.md', import.meta.url), 'utf8');
    const [, row = ''] = /^\| variables \|.* of the agent's own: (.*) \|$/m.exec(page) ?? [];
    const names = [...row.matchAll(/`([A-Z_*]+)`/g)].map(([, name = '']) => name.replace('*', 'ALL'));
    expect(names).toContain('HOME');
    const env = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(keptEnvironment({ ...env, PATH: '/bin', API_KEY: 'x' })).toEqual(env);
  });

  it('says of each pane whether more was in its history', () => {
    const two = archived([...idleAgent(), ...onPane('%2', exitedAgent())]);
    expect(two.panes).toMatchObject([{ isHistoryCut: true }, { isHistoryCut: false }]);
  });

  it('holds what it can where a pane has no agent, or one that is hardly known', () => {
    expect(archived(exitedAgent())).toMatchObject({ panes: [{ agent: null }] });
    const unheard = archived([pane(), processes([shell(), agent({ pid: 301 })])], { panes: [] });
    expect(unheard).toMatchObject({ panes: [{ agent: null, processes: [] }] });
    const mute = archived([pane(), processes([shell(), agent({ pid: 301 })])]);
    expect(mute).toMatchObject({ panes: [{ agent: { kind: 'claude', argv: null, env: {} } }] });
  });
});

describe('a session is made again', () => {
  it('with its agent first, in its own folder, layout and environment', () => {
    const two = [...onPane('%0', [pane(), processes([shell(), note()])]), ...idleAgent()];
    const document = archived(two, {
      windows: [
        {
          index: 0,
          name: 'side',
          isActive: false,
          layout: 'aaaa,80x24,0,0,0',
          panes: [{ paneId: '%0', isActive: true }],
        },
        { index: 2, name: 'main', isActive: true, layout: LAYOUT, panes: [{ paneId: '%1', isActive: true }] },
      ],
    });
    expect(reopeningOf(document)).toEqual({
      key: 'm.b.7.70.s1.1800000000',
      name: 'worker',
      socketPath: '/tmp/tmux-0/default',
      paneId: '%1',
      cwd: '/project/sub',
      argv: ['claude', '--resume', 'c-1'],
      path: '/bin',
      env: { HOME: '/home/me', LC_ALL: 'C' },
      ...{ given: {}, isClean: false, remain: false, document },
      agent: { kind: 'claude', conversation: 'c-1' },
      windows: [
        {
          index: 2,
          name: 'main',
          isActive: true,
          layout: LAYOUT,
          panes: [{ paneId: '%1', cwd: '/project/sub', isActive: true, isThere: true }],
        },
        {
          index: 0,
          name: 'side',
          isActive: false,
          layout: 'aaaa,80x24,0,0,0',
          panes: [{ paneId: '%0', cwd: '/project', isActive: true }],
        },
      ],
      size: { columns: 120, rows: 30 },
      folders: ['/project/sub', '/project'],
      dropped: [],
      missing: ['pane %0: not run again: make'],
    });
    expect(resumeIn(document)).toEqual(['claude', '--resume', 'c-1']);
  });

  it('with the window of its agent first, whatever else that shows', () => {
    const three = [...onPane('%0', exitedAgent()), ...idleAgent(), ...onPane('%2', exitedAgent())];
    const window = { name: 'w', isActive: false, layout: LAYOUT };
    const shown = (...ids: string[]) => ids.map((paneId) => ({ paneId, isActive: false }));
    const windows = [
      { ...window, index: 0, panes: shown('%0') },
      { ...window, index: 2, panes: shown('%2', '%1') },
    ];
    expect(reopeningOf(archived(three, { windows }))?.windows.map(({ index }) => index)).toEqual([2, 0]);
  });

  it('with its agent at its place also where it was not the first of its window', () => {
    const two = [...onPane('%0', exitedAgent()), ...idleAgent()];
    const panes = reopeningOf(archived(two))?.windows[0]?.panes;
    expect(panes?.map(({ cwd, isThere }) => [cwd, isThere])).toEqual([
      ['/project', undefined],
      ['/project/sub', true],
    ]);
  });

  it('by what it was started with: the record of its start first, then its own command line', () => {
    const seen: unknown[] = [];
    const resumeOf: ResumeOf = (...asked) => {
      seen.push(asked);
      return { argv: ['/bin/claude', '--resume', 'c-1', '--model', 'x'], dropped: ['-w is left out'] };
    };
    const start = { paneId: '%1', start: START };
    expect(reopeningOf(archived(idleAgent()), null, { start, resumeOf })).toMatchObject({
      argv: ['/bin/claude', '--resume', 'c-1', '--model', 'x'],
      env: { HOME: '/home/me', LC_ALL: 'C', TOKEN: 't' },
      ...{ given: { TOKEN: 't' }, isClean: true, remain: true, missing: ['-w is left out'] },
    });
    const own = { argv: ['claude', '--verbose'] };
    expect(seen).toEqual([
      ['claude', 'c-1', [{ argv: ['/bin/claude', '--model', 'x', 'do it'], cwd: '/start' }, own]],
    ]);
    // It was started in a pane that is gone.
    const elsewhere = { start: { ...start, paneId: '%7' }, resumeOf: () => null };
    expect(reopeningOf(archived(idleAgent()), null, elsewhere)).toMatchObject({
      argv: ['claude', '--resume', 'c-1'],
      given: { TOKEN: 't' },
    });
    reopeningOf(archived(idleAgent(), { startedAs: new Map() }), null, { resumeOf });
    expect(seen[1]).toEqual(['claude', 'c-1', []]);
    const { conversation: _, ...unnamed } = named({ resume: ['claude', '-r', 'x'] });
    const unheard = archived(withPieces(idleAgent(), unnamed));
    expect(reopeningOf(unheard, null, { resumeOf })?.argv).toEqual(['claude', '-r', 'x']);
  });

  it('by what launched its agent, which may have started itself anew', () => {
    const launched = [
      ...without(idleAgent(), 'processes'),
      processes([shell(), agent({ pid: 299, parentPid: 100 }), agent({ pid: 300, parentPid: 299 })]),
    ];
    const startedAs = new Map([
      [299, { argv: ['node', '/bin/claude'] }],
      [300, { argv: ['node', '--big', '/bin/claude'], cwd: '/project/sub' }],
    ]);
    expect(archived(launched, { startedAs })).toMatchObject({
      panes: [{ agent: { argv: ['node', '/bin/claude'], cwd: '/project/sub', path: '/bin' } }],
    });
  });

  it('with what its panes ran of their own, where that still ran', () => {
    const served = [pane(), processes([note({ relation: 'root', role: 'command', program: 'serve' })])];
    const two = [...onPane('%0', served), ...idleAgent()];
    const panes = [
      { paneId: '%0', isActive: true, command: ['serve', '--port', '1'], cwd: '/served' },
      { paneId: '%1', isActive: false, command: ['claude'] },
    ];
    const windows = [{ index: 2, name: 'main', isActive: true, layout: LAYOUT, panes }];
    expect(reopeningOf(archived(two, { windows }))).toMatchObject({
      windows: [
        {
          panes: [
            { cwd: '/served', isActive: true, command: ['serve', '--port', '1'] },
            { cwd: '/project/sub', isActive: false, isThere: true },
          ],
        },
      ],
      folders: ['/project/sub', '/served'],
      missing: [],
    });
  });

  it('as it was last seen: what may have ended since does not run again, but for what rollcall started', () => {
    const served = (program: string) => [
      pane(),
      processes([note({ relation: 'root', role: 'command', program })]),
    ];
    const panes = [
      { paneId: '%0', isActive: true, command: ['serve', '--port', '1'] },
      { paneId: '%1', isActive: false, command: ['tail', '-f', 'log'] },
    ];
    const windows = [{ index: 2, name: 'main', isActive: true, layout: LAYOUT, panes }];
    const document = archived([...onPane('%0', served('serve')), ...served('tail')], { windows });
    const old = asLastSeen(document, '%0');
    expect(asLastSeen(old, '%1')).toBe(old);
    expect(reopeningOf(old)).toMatchObject({ argv: ['serve', '--port', '1'], missing: [] });
    expect(reopeningOf(asLastSeen(document, null))).toMatchObject({
      argv: null,
      windows: [{ panes: [{ isThere: true }, { command: ['tail', '-f', 'log'] }] }],
      missing: ['pane %0: it may have ended after it was last seen, and is not run again: serve'],
    });
  });

  it('with what its first pane ran, where no agent is in it', () => {
    const served = [pane(), processes([note({ relation: 'root', role: 'command', program: 'serve' })])];
    const withCommand = (command: readonly string[], cwd?: string) => {
      const shown = { paneId: '%1', isActive: true, command, ...(cwd && { cwd }) };
      return archived(served, {
        windows: [{ index: 0, name: '', isActive: true, layout: LAYOUT, panes: [shown] }],
      });
    };
    expect(reopeningOf(withCommand(['serve', '-p'], '/served'))).toMatchObject({
      ...{ argv: ['serve', '-p'], cwd: '/served', folders: ['/served', '/project'], missing: [] },
    });
    expect(reopeningOf(withCommand(['serve >log']))).toMatchObject({
      ...{ argv: null, line: 'serve >log', cwd: '/project' },
    });
    const start = { start: { paneId: '%1', start: START } };
    expect(reopeningOf(withCommand(['env', 'ROLLCALL_OWNER=me', 'serve']), null, start)?.argv).toEqual([
      ...['/bin/claude', '--model', 'x', 'do it'],
    ]);
    expect(reopeningOf(withCommand(['env', 'ROLLCALL_OWNER=me', 'serve', '-x']))?.argv).toEqual([
      'serve',
      '-x',
    ]);
    const recogniseAgent = ([first]: readonly string[]) => (first === 'claude' ? 'claude' : null);
    const behind = withCommand(['env', 'ROLLCALL_OWNER=me', 'sh', '-c', 'claude it; serve']);
    expect(reopeningOf(behind, null, { ...start, recogniseAgent })).toMatchObject({
      argv: null,
      missing: [expect.stringMatching(/ not run again: sh$/), 'pane %1: not run again: serve'],
    });
  });

  it('in the folder of its agent, and not by the shell that somebody started it in', () => {
    const command = ['bash', '--norc'];
    const panes = ['%1', '%2'].map((paneId) => ({ paneId, isActive: false, command, cwd: '/shell' }));
    const windows = [{ index: 0, name: '', isActive: true, layout: LAYOUT, panes }];
    const second = onPane('%2', idleAgent());
    const made = reopeningOf(archived([...idleAgent(), ...second], { windows }));
    // The second agent is only named, and its resume command finds the conversation in its own folder.
    expect(made).toMatchObject({ argv: ['claude', '--resume', 'c-1'], cwd: '/project/sub' });
    expect(made?.windows[0]?.panes).toEqual([
      { paneId: '%1', cwd: '/project/sub', isActive: false, isThere: true },
      { paneId: '%2', cwd: '/project/sub', isActive: false },
    ]);
    const mute = archived(withPieces(idleAgent(), { ...named(), resume: [] }), { windows });
    expect(reopeningOf(mute)).toMatchObject({ argv: null, cwd: '/project/sub' });
  });

  it('with the agent first that is named, and alone where the session stands', () => {
    const other = named({ conversation: 'c-2', resume: ['claude', '--resume', 'c-2'] });
    const two = archived([...idleAgent(), ...onPane('%2', withPieces(idleAgent(), other))]);
    const second = reopeningOf(two, ['claude', '--resume', 'c-2']);
    expect(second).toMatchObject({ argv: ['claude', '--resume', 'c-2'], agent: { conversation: 'c-2' } });
    expect(reopeningOf(two, ['claude', '--resume', 'c-3'])).toEqual(reopeningOf(two));
    const whole = reopeningOf(two) as Reopening;
    expect(agentAlone({ ...whole, folders: ['/project/sub', '/gone'] })).toEqual({
      ...{ ...whole, windows: [], folders: [whole.cwd], isBeside: true },
      missing: ["only its agent is started again: session 'worker' still stands"],
    });
  });

  it('without an agent of a kind that is not known here', () => {
    const whole = reopeningOf(archived(idleAgent())) as Reopening;
    expect(withKnownAgent(whole, ['claude'])).toBe(whole);
    expect(withKnownAgent(whole, ['codex'])).toMatchObject({
      ...{ agent: null, argv: null, windows: whole.windows },
      missing: ['claude is not started again, because no such agent is known here; it ran: claude'],
    });
    const shell = reopeningOf(archived(exitedAgent())) as Reopening;
    expect(withKnownAgent(shell, [])).toBe(shell);
    const program = { ...shell, argv: ['serve'] };
    expect(withKnownAgent(program, [])).toBe(program);
    expect(withKnownAgent({ ...whole, missing: ['before'] }, []).missing).toEqual([
      'before',
      expect.stringContaining('no such agent is known here'),
    ]);
    const resting = { ...whole, argv: null };
    expect(withKnownAgent(resting, [])).toBe(resting);
  });

  it('with its agent, and what that runs is the agent’s: nothing is told of it', () => {
    const child = note({ pid: 301, parentPid: 300, program: 'mcp' });
    const made = reopeningOf(archived(withPieces(idleAgent(), processes([shell(), agent(), child]))));
    expect(made).toMatchObject({ argv: ['claude', '--resume', 'c-1'], missing: [] });
  });

  it('with a shell where nothing can be resumed; what is not as it was is told', () => {
    expect(reopeningOf(archived(exitedAgent()))).toMatchObject({ argv: null, agent: null, missing: [] });
    const unknown = reopeningOf(archived(withPieces(idleAgent(), { ...named(), resume: [] })));
    expect(unknown).toMatchObject({ argv: null, missing: [expect.stringContaining('not known')] });
    const second = [...idleAgent(), ...onPane('%2', without(idleAgent(), 'screen'))];
    expect(reopeningOf(archived(second))?.missing).toEqual([
      'pane %2: claude is not started again; resume it with: claude --resume c-1',
    ]);
  });

  it('only from what says enough', () => {
    expect(reopeningOf({})).toBeNull();
    expect(resumeIn(readKept({}))).toBeNull();
    const document = archived(idleAgent());
    expect(
      reopeningOf({ ...document, session: { key: 'k', name: 'n' }, panes: [3, { paneId: 4 }] }),
    ).toBeNull();
    for (const session of [{ name: 'n' }, { key: 'k' }])
      expect(reopeningOf({ ...document, session })).toBeNull();
    const panes = [{ paneId: '%1' }];
    const windows = [7, { index: 1 }, { index: 1, layout: 'x', panes: [{ paneId: '%9' }] }];
    const unplaced = [
      { index: 1, panes },
      { layout: LAYOUT, panes },
    ];
    expect(reopeningOf({ ...document, windows: [...windows, ...unplaced] })).toMatchObject({
      ...{ windows: [], size: null },
    });
    const bare = {
      ...document,
      panes: [{ paneId: '%1', agent: { env: { A: 1, B: 'b' }, resume: ['x', 1] } }],
    };
    expect(
      reopeningOf({ ...bare, windows: [{ index: 1, layout: LAYOUT, panes: [{ paneId: '%1' }] }] }),
    ).toMatchObject({
      ...{ cwd: '/', env: { B: 'b' }, agent: null, argv: null },
      windows: [{ name: '', panes: [{ cwd: '/', isActive: false }] }],
      missing: ['pane %1: an agent is not started again; how to resume it is not known'],
    });
    expect(reopeningOf({ ...document, session: { key: 'k', name: 'n' } })?.socketPath).toBeNull();
    const process = { role: 'command' };
    expect(reopeningOf({ ...document, panes: [{ paneId: '%1', processes: [process, 5] }] })?.missing).toEqual(
      [],
    );
  });

  it('from what it was started with, where it was lost', () => {
    const session = { key: 'k', name: 'n' };
    const body = {
      cwd: '/p',
      argv: ['claude', '--session-id', 'c'],
      env: ['TOKEN'],
      server: { socketPath: '/s' },
    };
    const resumeOf: ResumeOf = (kind, id) =>
      kind === 'claude' && id !== null ? { argv: ['claude', '--resume', id], dropped: [] } : null;
    expect(
      reopeningOfStart(session, { ...body, agent: { kind: 'claude', conversation: 'c' } }, resumeOf),
    ).toMatchObject({
      ...{ key: 'k', name: 'n', cwd: '/p', socketPath: '/s', argv: ['claude', '--resume', 'c'] },
      missing: [expect.any(String), expect.stringContaining('TOKEN')],
    });
    const other = reopeningOfStart(
      session,
      { ...body, env: [], agent: { kind: 'x', conversation: 'c' } },
      resumeOf,
    );
    expect(other).toMatchObject({
      argv: body.argv,
      missing: [expect.any(String), expect.stringContaining('a new one')],
    });
    expect(reopeningOfStart(session, { ...body, agent: null }, resumeOf)).toMatchObject({ agent: null });
    expect(reopeningOfStart(session, { ...body, agent: { kind: 'x' } }, resumeOf)?.argv).toEqual(body.argv);
    expect(reopeningOfStart(session, { cwd: '/p' }, resumeOf)).toBeNull();
    expect(reopeningOfStart(session, { argv: ['x'] }, resumeOf)).toBeNull();
  });

  it('from the start that was kept, whatever the ledger has masked', () => {
    const session = { key: 'k', name: 'n' };
    const body = {
      cwd: '/p',
      argv: ['claude', '***'],
      isWhole: false,
      env: ['TOKEN'],
      agent: { kind: 'claude' },
    };
    const asked: unknown[] = [];
    const resumeOf: ResumeOf = (...words) => {
      asked.push(words);
      return { argv: ['/bin/claude', '--model', 'x'], dropped: ['no prompt'] };
    };
    expect(reopeningOfStart(session, body, resumeOf, START)).toMatchObject({
      ...{ cwd: '/start', argv: ['/bin/claude', '--model', 'x'], env: { TOKEN: 't' }, given: { TOKEN: 't' } },
      ...{ isClean: true, remain: true },
      missing: [expect.any(String), expect.stringContaining('a new one begins'), 'no prompt'],
    });
    const words = ['/bin/claude', '--model', 'x', 'do it'];
    expect(asked).toEqual([['claude', null, [{ argv: words, cwd: '/start' }]]]);
    expect(reopeningOfStart(session, { ...body, agent: null }, resumeOf, START)?.argv).toEqual(words);
    const lost = reopeningOfStart(
      session,
      { ...body, agent: { kind: 'claude', conversation: 'c' } },
      resumeOf,
    );
    expect(lost?.missing).toContain('its options are not known whole, and are not given again');
    expect(asked[1]).toEqual(['claude', 'c', []]);
  });

  it('and not from words that were masked or cut, unless its conversation is known', () => {
    const session = { key: 'k', name: 'n' };
    const body = { cwd: '/p', argv: ['agent', '--token=***'], isWhole: false };
    expect(reopeningOfStart(session, body, () => null)).toBeNull();
    const known = { ...body, agent: { kind: 'claude', conversation: 'c' } };
    // An agent that cannot resume by a conversation alone, and one that would begin a new one without its options.
    expect(reopeningOfStart(session, known, () => null)).toBeNull();
    const anew = { ...body, agent: { kind: 'claude' } };
    expect(reopeningOfStart(session, anew, () => ({ argv: ['claude'], dropped: [] }))).toBeNull();
    expect(
      reopeningOfStart(session, known, () => ({ argv: ['claude', '--resume', 'c'], dropped: [] }))?.argv,
    ).toContain('--resume');
  });
});

describe('a receipt', () => {
  const parts: ReceiptParts = {
    ...{ id: 'r1', result: 'closed', reason: 'done\u001b[31m', about: aboutEntry(entry(idleAgent())) },
    ...{ waived: [{ code: 'work-saved', text: '2 files' }], despite: ['held'], isForced: false, rungs: [] },
    ...{
      archive: '/a/r1',
      digests: { 'session.json': 'd1' },
      survivors: [],
      notes: [],
      resume: ['claude', '--resume', 'c\u0007'],
      conversations: [],
      claims: null,
    },
  };

  it('tells what, why, on what and from where it comes back', () => {
    expect(receiptBody(parts)).toMatchObject({
      ...{
        receipt: 'r1',
        result: 'closed',
        archive: '/a/r1',
        waived: [{ code: 'work-saved' }],
        despite: ['held'],
      },
      session: { key: 'm.b.7.70.s1.1800000000', name: 'worker' },
      verdict: { lifecycle: 'safe-to-close' },
      claims: null,
    });
    expect(receiptBody(parts).evidence).toHaveLength(idleAgent().length);
  });

  it('tells how it was closed, and what is left', () => {
    const told = {
      rungs: [{ rung: 'ask', outcome: 'done', text: 'it left' }],
      survivors: [{ pid: 7, startTicks: 70, program: 'serve' }],
      notes: ['a note'],
      conversations: [{ kind: 'claude', conversation: 'c-1' }],
      digests: { 'session.json': 'd1' },
    };
    expect(receiptBody({ ...parts, ...told } as unknown as ReceiptParts)).toMatchObject(told);
  });

  it('tells of the sleeper of an agent that sleeps, and only then', () => {
    const sleeper = { paneId: '%1', pid: 500, startTicks: 5000, freedBytes: 1024, isPaneKept: false };
    expect(receiptBody({ ...parts, result: 'asleep', sleeper })).toMatchObject({ result: 'asleep', sleeper });
    expect(receiptBody(parts)).not.toHaveProperty('sleeper');
  });

  it('S54: holds no raw control character but in words that may be run', () => {
    expect(receiptBody(parts).reason).toBe('done\\e[31m');
    expect(receiptBody(parts).resume).toEqual(['claude', '--resume', 'c\u0007']);
  });

  it('leaves evidence that is too much to the archive', () => {
    const much = [...idleAgent(), screen({ paneId: '%9', tail: ['x'.repeat(100_001)] })];
    expect(receiptBody({ ...parts, about: aboutEntry(entry(much)) }).evidence).toEqual([]);
  });

  it('can be made from the archive alone', () => {
    const { session, agent: who } = aboutEntry(entry(idleAgent()));
    const kept = archived(idleAgent());
    expect(aboutArchive(kept, null)).toMatchObject({ session, agent: who, evidence: kept.evidence });
    expect(kept.evidence).toHaveLength(idleAgent().length);
    const nothing = { agent: null, verdict: null, evidence: [] };
    const meant = { key: 'k', name: 'n' };
    expect(aboutArchive(readKept({ session: { key: 'k', more: 1 } }), { key: 'x', name: 'n' })).toEqual({
      session: { key: 'k', name: 'n', more: 1 },
      ...nothing,
    });
    expect(aboutArchive(readKept({}), meant)).toEqual({ session: meant, ...nothing });
    expect(aboutArchive(readKept({}), null)).toEqual({ session: { key: '', name: '' }, ...nothing });
    const claims = { task: 'T', role: null, owner: null, branch: null, worktree: null, pr: null };
    expect(receiptBody({ ...parts, claims }).claims).toEqual(claims);
  });
});
