import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckReport, Finding } from '../../../src/core/doctor/finding.ts';
import { hold } from '../../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { diagnose } from '../../../src/engine/doctor/diagnose.ts';
import type { Doctor, Mender } from '../../../src/engine/doctor/mender.ts';
import { until } from '../../support/until.ts';
import { entriesOf } from '../act/acting-room.ts';
import { lives } from '../act/closing-room.ts';
import { DoctorRoom, PROCESS_CHECKS } from './doctor-room.ts';

let room: DoctorRoom;
let doctor: Doctor;
let hands: Hands;

beforeEach(async () => {
  room = new DoctorRoom();
  doctor = await room.doctor();
  hands = await room.hands();
});

afterEach(() => room.leave());

/** A session under care that was killed, and a child that outlived it; another session keeps the server. */
async function orphan(stays = room.helper('child')): Promise<number> {
  await room.tmux.session('keeper', 'sleep', '1000');
  await room.managed(hands, 'worker', `set -m; ${stays} &`);
  const pid = await room.pid('child');
  await room.tmux.tmux('kill-session', '-t', '=worker');
  return pid;
}

async function reports(): Promise<CheckReport[]> {
  return diagnose(await doctor.gather(), PROCESS_CHECKS);
}

async function found(pid: number): Promise<Finding> {
  const words = await until(
    'it is found',
    () => room.words(doctor),
    (all) => all.get(pid)?.class === 'ours-orphaned',
  );
  return words.get(pid) as Finding;
}

const asReport = (finding: Finding): CheckReport => ({
  ...{ name: 'helper-processes', group: 'processes', looksAt: '', severity: 'warning', problem: null },
  unseen: [],
  findings: [finding],
});

function deeds(): unknown[] {
  return entriesOf(hands).flatMap(({ kind, action, body }) =>
    action === 'end-processes' ? [[kind, body.result ?? null]] : [],
  );
}

async function mendedTo(finding: Finding, changes: Partial<Mender> = {}): Promise<string> {
  const mendings = await room.fix(room.mender(doctor, hands, changes), [asReport(finding)]);
  return mendings.map(({ result, text }) => `${result}: ${text}`).join('\n');
}

test('S6: a pid that is another process by now is not touched', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const earlier = {
    ...finding,
    remedy: { kind: 'end-process', pid, startTicks: 1, program: 'sleep' },
  } as const;
  expect(await mendedTo(earlier)).toBe(
    `skipped: nothing was touched: it is gone, and pid ${pid} is another process now`,
  );
  expect(lives(pid)).toBe(true);
  expect(deeds()).toEqual([]);
});

test('S4: what a live session has by now is not touched, whatever was found before', async () => {
  await room.managed(hands, 'keeper', `setsid ${room.stays('child')} &`);
  const pid = await room.pid('child');
  const { byPid } = (await doctor.gather()).table;
  const startTicks = byPid.get(pid)?.startTicks ?? 0;
  const stale: Finding = {
    ...{ class: 'ours-orphaned', severity: 'warning', text: '', evidence: [], advice: [], pid },
    remedy: { kind: 'end-process', pid, startTicks, program: 'sleep' },
  };
  expect(await mendedTo(stale)).toMatch(/^skipped: nothing was touched: /);
  expect(lives(pid)).toBe(true);
  expect(deeds()).toEqual([]);
});

test('a hold that was recorded after the finding keeps it', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const entry = await room.entry(hands, 'worker');
  await hold(hands, entry, 'look at this first');
  expect(await mendedTo(finding)).toMatch(/^skipped: nothing was touched: .*'worker', which is held/);
  expect(lives(pid)).toBe(true);
  expect(deeds()).toEqual([]);
});

test('a hold that comes in between the proof and the intent keeps it', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const entry = await room.entry(hands, 'worker');
  const held = await mendedTo(finding, {
    gatherProcesses: async () => {
      const facts = await doctor.gatherProcesses();
      await hold(hands, entry, null);
      return facts;
    },
  });
  expect(held).toBe('skipped: nothing was touched: its session is protected now');
  expect(lives(pid)).toBe(true);
  expect(deeds()).toEqual([]);
});

test('a hold that comes in between the last proof and the signal keeps it', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const entry = await room.entry(hands, 'worker');
  let looks = 0;
  const held = await mendedTo(finding, {
    gatherProcesses: async () => {
      const facts = await doctor.gatherProcesses();
      looks += 1;
      if (looks === 2) await hold(hands, entry, null);
      return facts;
    },
  });
  expect(held).toMatch(/^skipped: nothing was touched: .*which is held/);
  expect(lives(pid)).toBe(true);
  expect(deeds()).toEqual([
    ['intent', null],
    ['receipt', 'partly'],
    ['outcome', 'partly'],
  ]);
});

test('what changed between the intent and the signal is left alone', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const [first, second] = [await doctor.gatherProcesses(), await doctor.gatherProcesses()];
  const nobody = { ...second, processes: { ...second.processes, strangers: [] } };
  const answers = [first, nobody];
  const said = await mendedTo(finding, { gatherProcesses: async () => answers.shift() ?? nobody });
  expect(said).toBe('skipped: nothing was touched: nothing proves any more that it is an orphan');
  expect(lives(pid)).toBe(true);
});

test('S32: of a server that does not answer nothing is an orphan', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const server = Number(await room.tmux.tmux('display-message', '-p', '#{pid}'));
  process.kill(server, 'SIGSTOP');
  try {
    const words = await room.words(doctor);
    expect(words.get(pid)?.class).toBe('unknown');
    expect(await mendedTo(finding)).toMatch(/^skipped: nothing was touched: .*does not answer/);
    expect(lives(pid)).toBe(true);
  } finally {
    process.kill(server, 'SIGCONT');
  }
});

test('S35: a server that has ended took its sessions with it', async () => {
  const pid = await orphan();
  const server = Number(await room.tmux.tmux('display-message', '-p', '#{pid}'));
  await room.tmux.killServer();
  await until('the server is gone', () => !lives(server));
  const { evidence } = await found(pid);
  expect(evidence).toContain("session 'worker' is gone: its server has ended");
});

test('S46: what ignores SIGTERM stays without --force', async () => {
  const deaf = room.script(
    'mcp-server-deaf',
    `#!${process.execPath}\nprocess.on('SIGTERM', () => {}); require('fs').writeFileSync(process.argv[2], ''); setInterval(() => {}, 1e6);\n`,
  );
  const ready = room.file('deaf.ready');
  const pid = await orphan(room.helper('child', `${deaf} ${ready}`));
  await until('it is deaf', () => existsSync(ready));
  const finding = await found(pid);
  expect(await mendedTo(finding)).toBe('unanswered: it did not end on SIGTERM; --force ends it');
  expect(lives(pid)).toBe(true);
  const again = await found(pid);
  expect(await mendedTo(again, { isForced: true })).toBe('mended: it has ended');
  expect(lives(pid)).toBe(false);
  expect(deeds().map((deed) => (deed as string[])[1])).toEqual([
    null,
    'partly',
    'partly',
    null,
    'done',
    'done',
  ]);
});

test('S46: a stopped one is left alone; named by a person, it ends on SIGTERM and SIGCONT', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  process.kill(pid, 'SIGSTOP');
  expect(await mendedTo(finding)).toMatch(/^skipped: .*it was stopped in the middle of what it does$/);
  expect(lives(pid)).toBe(true);
  const named = { ...finding, remedy: finding.onRequest ?? null };
  expect(await mendedTo(named)).toBe('mended: it has ended');
  expect(lives(pid)).toBe(false);
});

test('S40: an ending that was cut short is brought to its end by the next command', async () => {
  const pid = await orphan();
  const finding = await found(pid);
  const crashing = await room.hands({
    onStep: (step, when) => {
      if (step === 'receipt' && when === 'before') throw new Error('killed');
    },
  });
  await expect(room.fix(room.mender(doctor, crashing), [asReport(finding)])).rejects.toThrow('killed');
  expect(deeds()).toEqual([['intent', null]]);
  await until('it is gone', () => !lives(pid));
  const [recovered] = await recoverAll(hands);
  expect(recovered?.body.result).toBe('done');
  expect(deeds()).toEqual([
    ['intent', null],
    ['outcome', 'done'],
  ]);
});

test('a leftover of a session that nobody took into care is only told of', async () => {
  await room.tmux.session('keeper', 'sleep', '1000');
  await room.tmux.session('free', 'sh', '-c', `setsid ${room.stays('child')} & exec sleep 1000`);
  const pid = await room.pid('child');
  await room.tmux.tmux('kill-session', '-t', '=free');
  const words = await until(
    'it is told of',
    () => room.words(doctor),
    (all) => all.get(pid)?.class === 'foreign',
  );
  expect(words.get(pid)).toMatchObject({ remedy: null, severity: 'info' });
  expect(words.get(pid)?.text).toMatch(/neither started nor adopted/);
  expect((await reports()).map(({ severity }) => severity)).not.toContain('warning');
});

test('looks between the end of a session and the doctor lose nothing', async () => {
  await room.tmux.session('keeper', 'sleep', '1000');
  await room.managed(hands, 'worker', `set -m; env -i PATH="$PATH" ${room.helper('cleared')} &`);
  const pid = await room.pid('cleared');
  await hands.look();
  await room.tmux.tmux('kill-session', '-t', '=worker');
  for (let looks = 0; looks < 3; looks += 1) await hands.look();
  const { evidence } = await found(pid);
  expect(evidence[0]).toBe("an earlier look has its pid and start mark as that session's");
});
