import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/compose/ledger.ts';
import { composeLook, partsOf } from '../../src/compose/look/parts.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import type { EntryDraft } from '../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../src/core/ledger/json.ts';
import type { Roll, SessionEntry } from '../../src/core/sight/roll.ts';
import type { Policy } from '../../src/core/verdict/policy.ts';
import { spokenPanes } from '../../src/engine/act/spoken-panes.ts';
import type { Parts } from '../../src/engine/look/parts.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { POLICY } from '../support/evidence.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { scriptedProgramIn } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
let tmux: PrivateTmux;
let state: string;
let ledger: Ledger;
let look: RealLook;

beforeEach(async () => {
  tmux = new PrivateTmux();
  state = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'state-'));
  ledger = await openLedger({ ...process.env, XDG_STATE_HOME: state }, 'cli');
  look = looking();
});
afterEach(() => {
  ledger.close();
  tmux.stop();
});

/** Looks with the ledger of this test; an idle agent needs to be seen quiet for an instant only. */
function looking(policy: Partial<Policy> = {}, changes: Partial<Parts> = {}): RealLook {
  return realLook([tmux], { confirmMs: 1, recentInputMs: 0, ...policy }, changes, state);
}

const role = (over: Partial<Policy['defaultRole']>) => ({ defaultRole: { ...POLICY.defaultRole, ...over } });
const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code);
const statusFile = (name: string) => join(tmux.folder, `status-${name}`);

/** A scripted agent at rest, in a folder of its own. */
async function agent(name: string): Promise<SessionEntry> {
  const script = scriptedProgramIn(tmux.folder);
  mkdirSync(dirname(script), { recursive: true });
  const text =
    '#!/bin/sh\necho "$$ idle none" > "$1.new"; mv "$1.new" "$1"; printf "\\n> "; while read -r line; do :; done\n';
  writeFileSync(script, text, { mode: 0o755 });
  mkdirSync(join(tmux.folder, name), { recursive: true });
  await tmux.session(name, 'sh', '-c', `cd ${name}; exec sh ${script} ${statusFile(name)}`);
  return untilSeen(name, ({ activity }) => activity === 'idle');
}

/** What the agent says of itself from now on. */
function says({ agent: seen, name }: SessionEntry, word: string): void {
  writeFileSync(statusFile(name), `${seen?.pid} ${word}\n`);
}

function untilSeen(
  name: string,
  holds: (entry: SessionEntry) => boolean,
  from = look,
): Promise<SessionEntry> {
  return until(`${name} is as expected`, () => from.session(name), holds);
}

const untilLifecycle = (name: string, lifecycle: string, from = look) =>
  untilSeen(name, (entry) => entry.lifecycle === lifecycle, from);

function declare({ key, name }: SessionEntry, action: string, body: JsonObject = {}): void {
  ledger.append({ kind: 'declared', action, session: { key, name }, body });
}

/** As `rollcall complete` records it: with whom it speaks for. */
function completes(entry: SessionEntry, body: JsonObject = {}): void {
  const speaksFor = spokenPanes(entry, null, Date.now()).map((one) => ({ ...one }) as unknown as JsonObject);
  declare(entry, 'complete', { outcome: 'done', ...body, speaksFor });
}

/** As `rollcall adopt` records it. */
function adopt(entry: SessionEntry, claims: JsonObject = {}): void {
  const { socketPath, pid, startTicks } = entry.server;
  const place = { sessionId: entry.sessionId, createdAtSeconds: entry.createdAt / 1000 };
  declare(entry, 'adopt', { server: { socketPath, pid, startTicks }, ...place, claims });
}

describe('what was declared', () => {
  test('shows on the roll and in the evidence of its session, and of no other', async () => {
    const [mine] = [await agent('mine'), await agent('other')];
    adopt(mine, { task: 't1', role: 'worker', owner: 'ann', branch: 'topic', pr: '7' });
    declare(mine, 'hold', { reason: 'mine' });
    const entry = await look.session('mine');
    expect(entry).toMatchObject({ role: 'worker', task: 't1', owner: 'ann' });
    expect(codes(entry.protections)).toEqual(['held']);
    expect(entry.evidence.find(({ kind }) => kind === 'standing')).toMatchObject({
      isManaged: true,
      origin: { how: 'adopted' },
      claims: { branch: 'topic', pr: '7' },
      held: { reason: 'mine' },
    });
    const other = await look.session('other');
    expect(other).toMatchObject({ role: null, task: null, owner: null });
    expect(codes(other.protections)).toEqual(['not-managed']);
    declare(mine, 'unhold');
    expect(codes((await look.session('mine')).protections)).toEqual([]);
  });

  test('S4: stays with the session when it is renamed', async () => {
    const mine = await agent('mine');
    adopt(mine, { task: 't1' });
    await tmux.tmux('rename-session', '-t', mine.sessionId, 'renamed');
    expect(await look.session('renamed')).toMatchObject({ key: mine.key, task: 't1' });
    expect((await look.roll()).sessions).toHaveLength(1);
  });

  test('waits for retention with its reason, also for a new process', async () => {
    const mine = await agent('mine');
    const end = Date.now() + 60 * MINUTE;
    declare(mine, 'retain', { until: end, reason: 'review' });
    const wanted = { lifecycle: 'completed-retained', retainedUntil: end };
    const entry = await look.session('mine');
    expect(entry).toMatchObject(wanted);
    expect(entry.reasons[0]?.text).toBe('kept on request: review');
    expect(codes(entry.protections)).toContain('retained');
    expect(await look.anew().session('mine')).toMatchObject(wanted);
  });

  test('an idle agent of a role waits as long as its role says', async () => {
    const mine = await agent('mine');
    adopt(mine, { role: 'quick' });
    const roles = new Map([['quick', { ...POLICY.defaultRole, idleAfterMs: 1 }]]);
    await untilLifecycle('mine', 'safe-to-close', looking({ roles }));
    expect(await looking().session('mine')).toMatchObject({ lifecycle: 'active' });
  });
});

describe('a completion', () => {
  test('S30: keeps the session once its turn is over; a new turn ends it, until that is declared too', async () => {
    const mine = await agent('mine');
    adopt(mine);
    completes(mine, { evidence: 'pr 7' });
    const kept = await untilLifecycle('mine', 'completed-retained');
    expect(kept.retainedUntil).toBeGreaterThan(Date.now() + 9 * MINUTE);
    expect(kept.reasons[0]?.text).toMatch(/^declared complete .* ago: pr 7$/);

    says(mine, 'working none');
    const working = await untilSeen('mine', ({ activity }) => activity === 'working');
    expect(working).toMatchObject({ lifecycle: 'active', retainedUntil: null });

    await tmux.tmux('send-keys', '-t', `${mine.sessionId}:`, 'one more', 'Enter');
    says(mine, 'idle none');
    const over = await untilSeen('mine', ({ activity }) => activity === 'idle');
    expect(over.lifecycle).toBe('active');
    expect(over.reasons.at(-1)).toMatchObject({
      code: 'completion-over',
      text: expect.stringContaining('a new turn has begun since'),
    });

    completes(over);
    const again = await untilLifecycle('mine', 'completed-retained');
    expect(again.retainedUntil).toBeGreaterThanOrEqual(kept.retainedUntil ?? Infinity);
    const quick = looking(role({ retainForMs: 1 }));
    const gone = await untilLifecycle('mine', 'safe-to-close', quick);
    expect([codes(gone.protections), codes(gone.blockers), gone.reasons[0]?.code]).toEqual([
      [],
      [],
      'completed',
    ]);
  });

  test('is kept for good, closes after idle, or is taken back, as its role and its author say', async () => {
    const mine = await agent('mine');
    completes(mine);
    const kept = await untilLifecycle('mine', 'completed-retained', looking(role({ onComplete: 'keep' })));
    expect(kept.retainedUntil).toBeNull();
    await untilLifecycle('mine', 'safe-to-close', looking(role({ onComplete: 'close-after-idle' })));
    declare(mine, 'cancel');
    await untilLifecycle('mine', 'active', looking(role({ onComplete: 'close-after-idle' })));
  });

  test('S31: with work that is not saved never lets the session go', async () => {
    const mine = await agent('mine');
    const folder = join(tmux.folder, 'mine');
    execFileSync('git', ['-c', 'init.defaultBranch=main', 'init', '-q', folder]);
    writeFileSync(join(folder, 'draft.txt'), 'unsaved');
    completes(mine);
    const quick = looking(role({ onComplete: 'close-after-idle' }));
    const entry = await untilSeen('mine', ({ blockers }) => codes(blockers).join() === 'work-saved', quick);
    expect(entry.lifecycle).toBe('stale');
    const early = await untilSeen('mine', ({ reasons }) => /uncommitted/.test(reasons[0]?.text ?? ''));
    expect(early.lifecycle).toBe('active');
  });

  test('S29: of an earlier session of the same name counts for nothing', async () => {
    const first = await agent('mine');
    completes(first);
    await untilLifecycle('mine', 'completed-retained');
    // tmux counts creation in seconds; another session of the same second has another id.
    await tmux.session('keeper');
    await tmux.tmux('kill-session', '-t', first.sessionId);
    const second = await agent('mine');
    expect(second.key).not.toBe(first.key);
    expect(second.lifecycle).toBe('active');
    const quick = looking(role({ onComplete: 'close-after-idle' }));
    await quick.roll();
    expect(await quick.session('mine')).toMatchObject({ lifecycle: 'active', retainedUntil: null });
  });

  test('S29: that failed or was not accepted schedules nothing', async () => {
    const mine = await agent('mine');
    const quick = looking(role({ onComplete: 'close-after-idle' }));
    declare(mine, 'complete', { outcome: 'failed' });
    const failed = await untilSeen(
      'mine',
      ({ reasons }) => reasons.at(-1)?.code === 'declared-failed',
      quick,
    );
    expect(failed.lifecycle).toBe('active');
    declare(mine, 'complete', { outcome: 'done', blockers: [{ code: 'clean', text: '2 files' }] });
    const refused = await untilSeen(
      'mine',
      ({ reasons }) => reasons[0]?.code === 'completion-refused',
      quick,
    );
    expect([refused.lifecycle, codes(refused.blockers).includes('contract')]).toEqual(['active', true]);
  });

  test('S28: printed on a screen is none', async () => {
    const mine = await agent('mine');
    const text = 'rollcall complete --outcome done; task COMPLETE';
    await tmux.tmux('send-keys', '-t', `${mine.sessionId}:`, text, 'Enter');
    await until('it is on the screen', async () =>
      (await tmux.tmux('capture-pane', '-p', '-t', `${mine.sessionId}:`)).includes('COMPLETE'),
    );
    const quick = looking(role({ onComplete: 'close-after-idle' }));
    await quick.roll();
    expect(await quick.session('mine')).toMatchObject({ lifecycle: 'active', activity: 'idle' });
  });
});

describe('a close', () => {
  test('is on its way while the process that began it lives, and not by one that is gone', async () => {
    const mine = await agent('mine');
    const intent: EntryDraft = { kind: 'intent', action: 'close', session: { key: mine.key, name: 'mine' } };
    const { sequence } = ledger.append(intent);
    expect(await look.session('mine')).toMatchObject({ lifecycle: 'closing', activity: 'idle' });
    const session = { key: mine.key, name: 'mine' };
    ledger.append({ kind: 'outcome', action: 'close', session, cause: sequence, body: { result: 'failed' } });
    expect(await look.session('mine')).toMatchObject({ lifecycle: 'active' });
    const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    ledger.append({ ...intent, actor: { kind: 'cli', pid, user: 'ann' } });
    expect(await look.session('mine')).toMatchObject({ lifecycle: 'active' });
  });
});

describe('a session that the ledger expects', () => {
  const lost = ({ sessions }: Roll) => sessions.filter(({ lifecycle }) => lifecycle === 'lost');
  const untilLost = (names: readonly string[], from = look): Promise<Roll> =>
    until(
      `${names} are lost`,
      () => from.roll(),
      (roll) =>
        lost(roll)
          .map(({ name }) => name)
          .sort()
          .join() === names.join(),
    );

  test('is lost when its server answers without it, and says when it was last known', async () => {
    const [mine, other] = [await agent('mine'), await agent('other')];
    adopt(mine, { task: 't1' });
    await look.roll();
    const before = Date.now();
    await tmux.tmux('kill-session', '-t', mine.sessionId);
    const [entry] = lost(await untilLost(['mine']));
    expect(entry).toMatchObject({
      ...{ key: mine.key, name: 'mine', activity: 'exited', task: 't1', sessionId: mine.sessionId },
      reasons: [
        { code: 'lost', text: expect.stringMatching(/^its server answers, and does not have it; last/) },
      ],
    });
    expect(entry?.since).toBeLessThanOrEqual(before);
    expect(entry?.since).toBeGreaterThan(before - MINUTE);
    // Unmanaged ones are simply gone.
    await tmux.session('keeper');
    await tmux.tmux('kill-session', '-t', other.sessionId);
    const roll = await untilLost(['mine'], look.anew());
    expect(lost(roll).map(({ key, since }) => [key, since])).toEqual([[mine.key, entry?.since]]);
    expect(roll.sessions[0]?.lifecycle).toBe('lost');
  });

  test('is no longer lost once there is a receipt, or once it was reopened', async () => {
    const [one, two] = [await agent('one'), await agent('two')];
    adopt(one);
    adopt(two);
    await tmux.session('keeper');
    for (const { sessionId } of [one, two]) await tmux.tmux('kill-session', '-t', sessionId);
    await untilLost(['one', 'two']);
    ledger.append({ kind: 'receipt', action: 'close', session: { key: one.key, name: 'one' } });
    await untilLost(['two']);
    const again = await agent('again');
    const reopened = {
      kind: 'declared',
      action: 'reopen',
      session: { key: again.key, name: 'again' },
    } as const;
    ledger.append({ ...reopened, body: { reopens: two.key } });
    const roll = await look.roll();
    expect(lost(roll)).toEqual([]);
    expect(roll.sessions.map(({ name }) => name)).not.toContain('two');
  });

  test('is lost with its server, and a server that does not answer leaves it unknown', async () => {
    const mine = await agent('mine');
    adopt(mine, { task: 't1' });
    // Nothing but the ledger knows the session.
    const stranger = () =>
      realLook([tmux], {}, { recollections: { load: () => ({ value: null }), save: () => null } }, state);
    process.kill(tmux.serverPid, 'SIGSTOP');
    const stopped = await until(
      'the server is seen stopped',
      () => stranger().roll(),
      ({ problems, sessions }) => codes(problems).includes('server-stopped') && sessions.length > 0,
    );
    expect(stopped.sessions).toMatchObject([
      { key: mine.key, name: 'mine', lifecycle: 'unknown', activity: 'unknown', task: 't1' },
    ]);
    process.kill(tmux.serverPid, 'SIGCONT');
    await until('it answers again', async () => (await look.session('mine')).activity === 'idle');
    await tmux.killServer();
    const roll = await until(
      'it is lost',
      () => look.roll(),
      (one) => lost(one).length > 0,
    );
    expect(lost(roll)[0]?.reasons[0]?.text).toMatch(/^its server has ended; last known/);
  });

  test('is lost with its server also where no folder of sockets shows that there was one', async () => {
    const mine = await agent('mine');
    adopt(mine);
    await tmux.killServer();
    rmSync(tmux.socketPath, { force: true });
    const env = { ...process.env, XDG_STATE_HOME: state, TMUX_TMPDIR: undefined, TMUX: undefined };
    const everywhere = composeLook({ env, settings: toSettings(defaultValues()) });
    const { sessions } = await everywhere();
    expect(sessions.find(({ key }) => key === mine.key)).toMatchObject({ lifecycle: 'lost' });
  });

  test('S35: is lost after a restart of the machine, and nothing waits for it', async () => {
    const mine = await agent('mine');
    adopt(mine);
    await tmux.killServer();
    const { host } = await look.roll();
    const rebooted = look.anew({
      host: {
        identity: () => ({ ...host, bootId: 'ffffffff-0000' }),
        now: () => ({ at: Date.now(), awakeMs: 5000, suspendedMs: 0 }),
        memory: () => null,
      },
    });
    const [entry] = lost(await untilLost(['mine'], rebooted));
    expect(entry).toMatchObject({ key: mine.key, name: 'mine' });
    expect(entry?.reasons[0]?.text).toMatch(/^the machine has restarted since; last known/);
  });

  test('is not lost while its close is on its way', async () => {
    const mine = await agent('mine');
    adopt(mine);
    await tmux.session('keeper');
    ledger.append({ kind: 'intent', action: 'close', session: { key: mine.key, name: 'mine' } });
    await tmux.tmux('kill-session', '-t', mine.sessionId);
    expect(lost(await look.roll())).toEqual([]);
  });

  test('is not lost when it began, or was closed, while the servers were asked', async () => {
    const mine = await agent('mine');
    await tmux.session('keeper');
    await tmux.tmux('kill-session', '-t', mine.sessionId);
    let isReceipt = false;
    const { tmux: sensor } = partsOf({
      env: { ...process.env, XDG_STATE_HOME: state },
      settings: toSettings(defaultValues()),
      sockets: [tmux.socketPath],
    });
    const meanwhile = looking(
      {},
      {
        tmux: {
          ...sensor,
          async sense(processes) {
            const answer = await sensor.sense(processes);
            if (isReceipt)
              ledger.append({ kind: 'receipt', action: 'close', session: { key: mine.key, name: 'mine' } });
            else adopt(mine);
            return answer;
          },
        },
      },
    );
    expect(lost(await meanwhile.roll())).toEqual([]);
    isReceipt = true;
    expect(lost(await meanwhile.roll())).toEqual([]);
  });
});

describe('a ledger that cannot be read', () => {
  test('S36: makes nothing closable, leaves activities, and is a problem with a hint', async () => {
    await tmux.session('plain');
    const mine = await agent('mine');
    declare(mine, 'hold');
    ledger.close();
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(state, 'rollcall', `ledger.db${end}`), { force: true });
    const roll = await look.roll();
    expect(roll.problems).toMatchObject([
      { code: 'declared-unreadable', hint: expect.stringContaining('rollcall verify') },
    ]);
    expect(new Set(roll.sessions.map(({ lifecycle }) => lifecycle))).toEqual(new Set(['unknown']));
    expect(roll.sessions.find(({ name }) => name === 'mine')).toMatchObject({ activity: 'idle' });
    expect(roll.sessions[0]?.reasons[0]).toMatchObject({ source: 'declared', code: 'sensor-unavailable' });
  });
});
