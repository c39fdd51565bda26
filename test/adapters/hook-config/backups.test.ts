import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HookRoom } from './hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const FIRST = '{"first":true}';
const backups = () => room.backupsOf(room.claude);
const textOf = (name: string) => room.read(room.backup(room.claude, name));

/** Installs and removes, at a day of January; that makes two copies. */
function round(day: number): void {
  for (const action of ['install', 'remove'] as const)
    room.do(action, ['claude'], 'user', {
      now: () => Date.UTC(2026, 0, day),
      backups: { folder: room.backups, kept: 4 },
    });
}

it('the first copy stays, and the last few', () => {
  room.write(room.claude, FIRST);
  for (const day of [1, 2, 3, 4]) round(day);
  expect(backups()).toEqual([
    '20260101T000000Z',
    '20260103T000000Z-2',
    '20260104T000000Z',
    '20260104T000000Z-2',
  ]);
  expect(textOf('20260101T000000Z')).toBe(FIRST);
});

it('the first copy stays the first when the clock is set back', () => {
  room.write(room.claude, FIRST);
  for (const day of [9, 8, 7, 6, 5, 4]) round(day);
  expect(textOf('20260109T000000Z')).toBe(FIRST);
  // Twelve were made, in the order of their numbers and not of their letters.
  expect(backups().sort((one, other) => one.length - other.length || (one < other ? -1 : 1))).toEqual(
    ['', '-10', '-11', '-12'].map((count) => `20260109T000000Z${count}`),
  );
});

it('files that only begin alike are somebody’s own', () => {
  room.write(room.claude, FIRST);
  const own = [
    ...['KEEP-a', 'KEEP-b', '0-original', '', '20260101', '20260101T000000', '20260101T000000Z.txt'],
    ...['20260101T000000Z-1', '20260101T000000Z-', '20260101T000000Z-x', '99990101T000000Z-0', '~'],
  ];
  for (const name of own) room.write(room.backup(room.claude, name), `my own ${name}`);
  mkdirSync(room.backup(room.claude, '20260102T000000Z-5'));
  for (const day of [1, 2, 3, 4, 5]) round(day);
  for (const name of own) expect([name, textOf(name)]).toEqual([name, `my own ${name}`]);
  expect(backups()).toContain('20260102T000000Z-5');
  expect(textOf('20260101T000000Z')).toBe(FIRST);
});

it('copies of another file whose name begins alike are left alone', () => {
  room.write(room.claude, FIRST);
  const other = room.backup(`${room.claude}.other`, '20250101T000000Z');
  room.write(other, 'x');
  for (const day of [1, 2, 3]) round(day);
  expect(room.read(other)).toBe('x');
});
