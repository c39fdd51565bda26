import { afterEach, beforeEach, expect, test } from 'vitest';
import { composeHands } from '../../../src/compose/hands.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { lives } from '../../engine/act/closing-room.ts';
import { DoctorRoom } from '../../engine/doctor/doctor-room.ts';
import { until } from '../../support/until.ts';
import { run } from '../fake-outside.ts';

let room: DoctorRoom;
let hands: Hands;
let pid: number;

beforeEach(async () => {
  room = new DoctorRoom();
  hands = await room.hands();
  await room.tmux.session('keeper', 'sleep', '1000');
  await room.managed(hands, 'worker', `set -m; ${room.helper('child')} &`);
  pid = await room.pid('child');
  await room.kill('worker');
});

afterEach(() => room.leave());

function doctor(answers: readonly string[], ...flags: string[]) {
  const open = [...answers];
  return run(['doctor', '--only', 'helper-processes', ...flags], {
    doctor: () => room.doctor(),
    hands: () => composeHands(room.env, room.settings, { sockets: room.sockets }),
    isTTY: answers.length > 0,
    stdin: {
      isTTY: answers.length > 0,
      setRawMode: () => {},
      onText: (listener) => {
        queueMicrotask(() => listener(open.shift() ?? '\n'));
        return () => {};
      },
    },
  });
}

test('--fix --yes ends it, says so, and leaves nothing: exit 0, and so says the next run', async () => {
  const { exitCode, stdout } = await doctor([], '--fix', '--yes');
  expect(stdout).toContain(
    `mended  mcp-server-files (MCP server), pid ${pid}: it outlived session 'worker': it has ended`,
  );
  expect(stdout).toContain('1 of 1 finding mended; nothing that matters is left');
  expect(exitCode).toBe(0);
  expect(lives(pid)).toBe(false);
  const again = await doctor([], '--fix', '--yes', '--json');
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ fixes: [], checks: [{ name: 'helper-processes' }] });
});

test('on a terminal it asks for each check, and a no leaves everything: exit 1', async () => {
  const no = await doctor(['n\n'], '--fix');
  expect(no.stdout).toContain('Mend 1 finding of helper-processes? [y/N] ');
  expect(no.exitCode).toBe(1);
  expect(lives(pid)).toBe(true);
  const yes = await doctor(['y\n'], '--fix');
  expect(yes.exitCode).toBe(0);
  await until('it is gone', () => !lives(pid));
});

test('--json tells what was mended and what is left', async () => {
  const { stdout } = await doctor([], '--fix', '--yes', '--json');
  const { fixes, checks } = JSON.parse(stdout);
  expect(fixes).toMatchObject([{ check: 'helper-processes', class: 'ours-orphaned', result: 'mended', pid }]);
  expect(checks[0].findings.map((one: { class: string }) => one.class)).not.toContain('ours-orphaned');
});
