import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitOf } from '../../../src/adapters/proc/shell-sensor.ts';
import { FakeProc } from './fake-proc.ts';

let proc: FakeProc;
beforeEach(() => {
  proc = new FakeProc();
});
afterEach(() => proc.remove());

const wait = (files: Readonly<Record<string, string>>, arch = 'x64') => {
  proc.process(7, {}, files);
  return waitOf(`${proc.root}/7`, (fd) => fd === 10, arch);
};

test.each([
  ['a prompt of bash', '270 0x1 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7ffe 0x7f5d\n', 'x64', 'select'],
  ['the same on another processor', '72 0x1 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7ffe 0x7f5d\n', 'arm64', 'select'],
  ['a wait with a time limit', '270 0x1 0x7ffe 0x0 0x0 0x7fff 0x7ffe 0x7ffe 0x7f5d\n', 'x64', 'else'],
  ['a wait for other descriptors', '270 0x9 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7ffe 0x7f5d\n', 'x64', 'else'],
  ['a prompt of fish', '7 0x556c 0x3 0xffffffff 0xc2cb 0x0 0x556c 0x7ffc 0x7fd1\n', 'x64', 'select'],
  ['poll with a time limit', '7 0x556c 0x3 0x64 0xc2cb 0x0 0x556c 0x7ffc 0x7fd1\n', 'x64', 'else'],
  ['a prompt of fish elsewhere', '73 0x556c 0x3 0x0 0x0 0x8 0x556c 0x7ffc 0x7fd1\n', 'arm64', 'select'],
  ['a prompt of zsh', '0 0xa 0x7ffd 0x1 0x8 0x7 0x5619 0x7ffd 0x7f1f\n', 'x64', 'read'],
  ['a read of something else', '0 0x9 0x7ffd 0x1 0x8 0x7 0x5619 0x7ffd 0x7f1f\n', 'x64', 'else'],
  ['a wait for a child', '61 0xffffffff 0x7ffd 0xa 0x0 0x7 0x5619 0x7ffd 0x7f1f\n', 'x64', 'else'],
  ['a process that runs', 'running\n', 'x64', 'else'],
])('the system call tells of %s', (_, syscall, arch, found) => {
  expect(wait({ syscall, wchan: 'futex_do_wait' }, arch)).toBe(found);
});

test.each([
  ['poll_schedule_timeout.constprop.0', 'select'],
  ['do_select', 'select'],
  ['wait_woken', 'read'],
  ['pipe_read', 'else'],
  ['do_wait', 'else'],
  ['0', null],
  ['', null],
])(
  'where tracing is not allowed, or its numbers are not known, the kernel’s place does: %j',
  (wchan, found) => {
    expect(wait({ wchan })).toBe(found);
    expect(wait({ wchan, syscall: '270 0x1 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n' }, 'riscv64')).toBe(found);
  },
);

test('without both nothing is told', () => {
  expect(wait({})).toBeNull();
});
