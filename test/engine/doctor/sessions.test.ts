import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckReport, Finding } from '../../../src/core/doctor/finding.ts';
import { hold, unhold } from '../../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { run } from '../../../src/engine/act/run.ts';
import { diagnose } from '../../../src/engine/doctor/diagnose.ts';
import { mendableIn } from '../../../src/engine/doctor/fix.ts';
import type { Doctor } from '../../../src/engine/doctor/mender.ts';
import { until } from '../../support/until.ts';
import { factsIn } from '../act/acting-room.ts';
import { lives, SHELL } from '../act/closing-room.ts';
import { DoctorRoom } from './doctor-room.ts';

let room: DoctorRoom;
let doctor: Doctor;
let hands: Hands;

beforeEach(async () => {
  room = new DoctorRoom();
  doctor = await room.doctor();
  hands = await room.hands();
  await room.tmux.session('keeper', 'sleep', '1000');
});

afterEach(() => room.leave());

async function reports(check: string): Promise<CheckReport[]> {
  return diagnose(await doctor.gather(), [check]);
}

/** What a check finds, once it finds something that this holds for. */
async function found(
  check: string,
  holds: (finding: Finding) => boolean = () => true,
): Promise<CheckReport[]> {
  return until(
    `${check} finds it`,
    () => reports(check),
    ([report]) => report?.findings.some(holds) ?? false,
  );
}

const isOffered = ({ remedy }: Finding) => remedy !== null;

async function fixed(seen: readonly CheckReport[]): Promise<string[]> {
  return (await room.fix(room.mender(doctor, hands), seen)).map(({ result }) => result);
}

/** A session under care whose program has ended with status 0, and whose pane is kept. */
async function ended(name: string, claims: { readonly owner?: string } = {}): Promise<void> {
  const argv = ['sh', '-c', 'sleep 0.3; exit 0'];
  const ran = await run(hands, room.wish({ name, argv, remain: true, claims }));
  expect(ran.state).toBe('started');
  // tmux up to 3.5 sometimes loses the status: then the program is run once more.
  await until(
    `${name} has ended`,
    async () => {
      const format = '#{pane_dead} #{pane_dead_status}';
      const said = await room.tmux.tmux('display-message', '-p', '-t', `=${name}:`, format);
      if (said.trim() === '1') await room.tmux.tmux('respawn-pane', '-t', `=${name}:`);
      return said.trim();
    },
    (said) => said === '1 0',
  );
}

test('S44: a dead pane is found, closed, and a second run is clean', async () => {
  await ended('done');
  const seen = await found('dead-panes', isOffered);
  expect(await fixed(seen)).toEqual(['mended']);
  expect(await room.names()).toEqual(['keeper']);
  expect((await reports('dead-panes'))[0]?.findings).toEqual([]);
});

test('S39: a session that is held between finding and fixing stands', async () => {
  await ended('done');
  const seen = await found('dead-panes', isOffered);
  await hold(hands, await room.entry(hands, 'done'), 'wait');
  expect(await fixed(seen)).toEqual(['skipped']);
  expect(await room.names()).toContain('done');
});

test('S44, S45: the bare shell of an agent that rollcall never managed is told, and never offered', async () => {
  const { pid } = await room.agent('human', 'rests', SHELL);
  process.kill(pid, 'SIGKILL');
  const [report] = await found('bare-shells');
  expect(report?.findings.map(({ class: kind, remedy }) => [kind, remedy])).toEqual([['agent-exited', null]]);
  expect(await fixed([report as CheckReport])).toEqual([]);
  expect(await room.names()).toContain('human');
});

test('S51: grouped sessions are told, and windows of their own are not', async () => {
  expect((await reports('grouped-sessions'))[0]?.findings).toEqual([]);
  await room.tmux.tmux('new-session', '-d', '-s', 'view', '-t', 'keeper');
  const [report] = await reports('grouped-sessions');
  expect(report?.findings).toMatchObject([{ class: 'shared-windows', severity: 'info', remedy: null }]);
  expect(report?.findings[0]?.text).toContain('share 1 pane');
});

test('a lost session is settled only where its check is named', async () => {
  await room.managed(hands, 'worker', ':');
  expect((await reports('lost-sessions'))[0]?.findings).toEqual([]);
  await room.tmux.tmux('kill-session', '-t', '=worker');
  const seen = await found('lost-sessions');
  expect(mendableIn(seen)).toEqual([]);
  expect(mendableIn(seen, ['lost-sessions'])).toHaveLength(1);
});

test('a hold without a session is taken back; one that was taken back meanwhile is left alone', async () => {
  await room.managed(hands, 'worker', ':');
  const entry = await room.entry(hands, 'worker');
  await hold(hands, entry, null);
  expect((await reports('stale-holds'))[0]?.findings).toEqual([]);
  await room.tmux.tmux('kill-session', '-t', '=worker');
  const seen = await found('stale-holds', isOffered);
  expect(await fixed(seen)).toEqual(['mended']);
  expect(factsIn(hands).get(entry.key)?.held).toBeNull();
  expect((await reports('stale-holds'))[0]?.findings).toEqual([]);
  await hold(hands, entry, null);
  const again = await found('stale-holds', isOffered);
  await unhold(hands, entry);
  expect(await fixed(again)).toEqual(['skipped']);
});

test('law 3: a hold stays while anything is left of its session, until a person takes it back', async () => {
  await room.managed(hands, 'worker', `set -m; ${room.helper('child')} &`);
  const child = await room.pid('child');
  const entry = await room.entry(hands, 'worker');
  await hold(hands, entry, 'I still need what it left');
  await room.kill('worker');
  const seen = await found('stale-holds');
  expect(seen[0]?.findings[0]).toMatchObject({ class: 'hold-without-session', remedy: null });
  expect(seen[0]?.findings[0]?.evidence[1]).toContain(`(pid ${child})`);
  expect(await fixed(seen)).toEqual([]);
  expect(factsIn(hands).get(entry.key)?.held).not.toBeNull();
  const gone = (await hands.look()).sessions.find(({ key }) => key === entry.key);
  expect(gone?.lifecycle).toBe('lost');
  expect(gone && (await unhold(hands, gone)).state).toBe('declared');
  expect(factsIn(hands).get(entry.key)?.held).toBeNull();
  expect(lives(child)).toBe(true);
});

test('a session whose owner is gone is closed, and stands when its owner is back in time', async () => {
  const owner = room.file('owner');
  mkdirSync(owner);
  await ended('owned', { owner });
  expect((await reports('orphaned-sessions'))[0]?.findings).toEqual([]);
  rmdirSync(owner);
  const seen = await found('orphaned-sessions', isOffered);
  mkdirSync(owner);
  expect(await fixed(seen)).toEqual(['skipped']);
  rmdirSync(owner);
  expect(await fixed(seen)).toEqual(['mended']);
  expect(await room.names()).toEqual(['keeper']);
});

test('S55: a file that others can read is made private, and not one that took its place', async () => {
  const folder = join(room.state, 'rollcall');
  const path = join(folder, 'wide');
  expect((await reports('state-folder'))[0]?.findings).toEqual([]);
  writeFileSync(path, 'x', { mode: 0o644 });
  const seen = await found('state-folder');
  writeFileSync(join(folder, 'other'), 'y', { mode: 0o644 });
  renameSync(join(folder, 'other'), path);
  expect(await fixed(seen)).toEqual(['skipped']);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(await fixed(await found('state-folder'))).toEqual(['mended']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await reports('state-folder'))[0]?.findings).toEqual([]);
});

test('a leftover of the spool is removed, and not one that was written to since', async () => {
  const spool = join(room.state, 'rollcall', 'spool');
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  chmodSync(spool, 0o700);
  const path = join(spool, '.half');
  writeFileSync(path, 'x', { mode: 0o600 });
  expect((await reports('spool-leftovers'))[0]?.findings).toEqual([]);
  utimesSync(path, 1, 1);
  const seen = await found('spool-leftovers');
  writeFileSync(path, 'more');
  expect(await fixed(seen)).toEqual(['skipped']);
  expect(existsSync(path)).toBe(true);
  utimesSync(path, 1, 1);
  expect(await fixed(await found('spool-leftovers'))).toEqual(['mended']);
  expect(existsSync(path)).toBe(false);
});

/** How often the doctor looked while it mended, and what became of each finding. */
async function looksToFix(
  seen: readonly CheckReport[],
  onLook: () => void = () => {},
): Promise<{ readonly looks: number; readonly results: Record<string, number> }> {
  let looks = 0;
  const gather = async () => {
    const facts = await doctor.gather();
    looks += 1;
    onLook();
    return facts;
  };
  const results: Record<string, number> = {};
  for (const { result } of await room.fix(room.mender(doctor, hands, { gather }), seen)) {
    results[result] = (results[result] ?? 0) + 1;
  }
  return { looks, results };
}

test('300 files are mended after one more look, and not one that was written to after it', async () => {
  const folder = join(room.state, 'rollcall');
  const paths = Array.from({ length: 300 }, (_, index) => join(folder, `wide-${index}`));
  for (const path of paths) writeFileSync(path, 'x', { mode: 0o644 });
  const seen = await found('state-folder');
  expect(seen[0]?.findings).toHaveLength(300);
  const last = paths[299] as string;
  const { looks, results } = await looksToFix(seen, () => writeFileSync(last, 'more'));
  expect({ looks, results }).toEqual({ looks: 1, results: { mended: 299, skipped: 1 } });
  expect(paths.filter((path) => (statSync(path).mode & 0o777) !== 0o600)).toEqual([last]);
});

test('each close is proven anew: a second session stands whose owner is back by then', async () => {
  const owners = ['one', 'two'].map((name) => room.file(name));
  for (const owner of owners) {
    mkdirSync(owner);
    await ended(`of-${owner.slice(-3)}`, { owner });
  }
  for (const owner of owners) rmdirSync(owner);
  const seen = await until(
    'both are offered',
    () => reports('orphaned-sessions'),
    ([report]) => report?.findings.filter(isOffered).length === 2,
  );
  const { looks, results } = await looksToFix(seen, () => {
    for (const owner of owners) if (!existsSync(owner)) mkdirSync(owner);
  });
  expect({ looks, results }).toEqual({ looks: 2, results: { mended: 1, skipped: 1 } });
});
