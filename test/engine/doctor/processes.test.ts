import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { composeDoctor } from '../../../src/compose/doctor/doctor.ts';
import { diagnose } from '../../../src/engine/doctor/diagnose.ts';
import type { Doctor } from '../../../src/engine/doctor/mender.ts';
import { until } from '../../support/until.ts';
import { entriesOf } from '../act/acting-room.ts';
import { lives } from '../act/closing-room.ts';
import { DoctorRoom, PROCESS_CHECKS } from './doctor-room.ts';

let room: DoctorRoom;
let doctor: Doctor;

beforeEach(async () => {
  room = new DoctorRoom();
  doctor = await room.doctor();
});

afterEach(() => room.leave());

test('S5, S8, S21, S34, S45: classes are exactly right, --fix ends exactly what is left over, a second run is clean', async () => {
  const hands = await room.hands();
  const codex = room.script('codex-like', '#!/bin/bash\nexec -a codex sh -c \'sleep 1000; :\' "$@"\n');
  await room.managed(
    hands,
    'worker',
    [
      // A group of its own, as a shell gives to a job: what tmux hangs up does not reach it.
      `set -m; ${room.helper('grouped')} & set +m`,
      `setsid ${room.helper('setsid')} &`,
      `(setsid sh -c "${room.helper('forked').replaceAll('$', '\\$')} &" &)`,
      `nohup ${room.stays('nohup')} > /dev/null 2>&1 &`,
      `env -i PATH="$PATH" setsid ${room.stays('cleared')} &`,
      `setsid ${room.stays('daemon', `${codex} app-server`)} &`,
    ].join('\n'),
  );
  await room.managed(hands, 'crew-joe', `setsid ${room.stays('crew')} &`);
  await room.second.session('codex', codex);
  const agentPane = await room.second.session('other', ...room.agents.argv('other', 'leaves+child'));
  const secondAgent = await room.agents.pid('other');
  const pids = {
    grouped: await room.pid('grouped'),
    setsid: await room.pid('setsid'),
    forked: await room.pid('forked'),
    nohup: await room.pid('nohup'),
    cleared: await room.pid('cleared'),
  };
  const [daemon, crew] = [await room.pid('daemon'), await room.pid('crew')];
  // Whoever cleared its environment is known by the last look before its session went.
  await until('the look has it', async () => (await room.words(doctor)).size > 0);
  const before = await room.words(doctor);
  expect(Object.values(pids).map((pid) => before.get(pid)?.class ?? 'in its pane')).not.toContain(
    'ours-orphaned',
  );

  await room.kill('worker');
  await room.tmux.tmux('new-session', '-d', '-s', 'bystander', 'sleep', '1000');
  await room.tmux.tmux('kill-session', '-t', '=crew-joe');
  const server = await room.tmux.tmux('display-message', '-p', '#{pid}');
  const marks = { TMUX: `${room.tmux.socketPath},${server},0`, TMUX_PANE: '%0' };
  const demi = room.outside([room.program('demiclaude'), '1000']);
  const outsider = room.outside(room.agents.argv('outsider', 'leaves'));
  const another = process.getuid?.() === 0 ? room.outside(['sleep', '1000'], marks, 65534) : 0;
  await until('all are seen', async () => (await room.words(doctor)).get(outsider)?.class === 'foreign');

  const words = await room.words(doctor);
  const classes = Object.fromEntries(
    Object.entries({ ...pids, daemon, crew, demi, outsider, another, secondAgent }).map(([name, pid]) => [
      name,
      words.get(pid)?.class ?? null,
    ]),
  );
  expect(classes).toEqual({
    grouped: 'ours-orphaned',
    setsid: 'left-running',
    forked: 'ours-orphaned',
    nohup: 'left-running',
    cleared: 'left-running',
    daemon: 'vendor-daemon-in-use',
    crew: 'foreign',
    demi: null,
    outsider: 'foreign',
    another: null,
    secondAgent: 'belongs-to-a-live-session',
  });
  expect(words.get(crew)?.text).toMatch(/crew-joe.*protected pattern crew-\*/);
  expect(words.get(pids.grouped)?.memoryBytes).toBeGreaterThan(0);
  expect(
    [...words.values()]
      .filter(({ remedy }) => remedy !== null)
      .map(({ pid }) => pid)
      .sort(),
  ).toEqual([pids.grouped, pids.forked].sort());

  const reports = diagnose(await doctor.gather(), PROCESS_CHECKS);
  const mendings = await room.fix(room.mender(doctor, hands), reports);
  expect(mendings.map(({ result }) => result)).toEqual(['mended', 'mended']);
  expect(Object.values(pids).filter(lives)).toEqual([pids.setsid, pids.nohup, pids.cleared]);
  const spared = [daemon, crew, demi, outsider, secondAgent, agentPane.pid, ...(another ? [another] : [])];
  expect(spared.filter((pid) => !lives(pid))).toEqual([]);

  const entries = entriesOf(hands).filter(({ action }) => action === 'end-processes');
  expect(entries.map(({ kind, session }) => [kind, session?.name])).toEqual([
    ['intent', 'worker'],
    ['receipt', 'worker'],
    ['outcome', 'worker'],
  ]);
  const receipt = JSON.stringify(entries[1]?.body);
  for (const pid of [pids.grouped, pids.forked]) expect(receipt).toContain(`"pid":${pid}`);
  expect(receipt).toMatch(/TMUX names session \$\d+/);
  expect(entries[2]?.body.result).toBe('done');

  const again = diagnose(await doctor.gather(), PROCESS_CHECKS);
  expect(again.map(({ severity }) => severity)).not.toContain('warning');
});

test('the number of forks does not grow with sessions or processes', async () => {
  let forks = 0;
  const counting = await composeDoctor(
    {
      ...{ env: room.env, settings: room.settings, sockets: room.sockets },
      spawn: (file, argv, options) => {
        forks += 1;
        return spawn(file, argv, options);
      },
    },
    room.tmux.folder,
  );
  const forksOfARun = async () => {
    forks = 0;
    await counting.gather();
    return forks;
  };
  await room.tmux.session('one', 'sleep', '1000');
  await forksOfARun();
  const few = await forksOfARun();
  for (let at = 0; at < 8; at += 1) {
    await room.tmux.session(`more-${at}`, 'sh', '-c', 'setsid sleep 1000 & exec sleep 1000');
  }
  await forksOfARun();
  expect(await forksOfARun()).toBe(few);
});
