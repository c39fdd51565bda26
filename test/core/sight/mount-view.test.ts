import { describe, expect, it } from 'vitest';
import { leadsElsewhere, mountAt, mountsIn } from '../../../src/core/sight/mounts.ts';

it('a path leads elsewhere where no table tells where it leads', () => {
  expect(leadsElsewhere({ theirs: [], ours: [] }, '/srv')).toBe(true);
});

/** A table of mounts: number, parent, device, what is shown, where, and how. */
const table = (...lines: readonly string[]) =>
  mountsIn(lines.map((line) => `${line} - ext4 /dev/vda rw\n`).join(''));

const OURS = ['1 0 8:1 / / rw', '2 1 8:2 / /home rw', '3 1 0:20 / /tmp rw', '4 1 0:5 / /dev rw'];

describe('a path of another process', () => {
  const isOther = (path: string, theirs: readonly string[], ours: readonly string[] = OURS) =>
    leadsElsewhere({ theirs: table(...theirs), ours: table(...ours) }, path);
  const copied = ['11 10 8:1 / / rw', '12 11 8:2 / /home rw', '13 11 0:20 / /tmp rw'];

  it.each<[string, readonly string[]]>([
    ['in a copy of all mounts', copied],
    [
      'that is bound into a root of its own',
      ['11 10 0:50 / / rw', '12 11 8:2 /me/project /home/me/project rw'],
    ],
    ['with another /tmp than here', [...copied, '14 13 0:51 / /tmp rw']],
    [
      'with a part of it that is bound read-only over itself',
      [...copied, '14 12 8:2 /me/project/.git/hooks /home/me/project/.git/hooks ro,nosuid'],
    ],
    [
      'with a file in it that /dev/null hides',
      [...copied, '14 12 0:5 /null /home/me/project/.env ro,nosuid'],
    ],
    [
      'in a sandbox with its own /tmp, /dev and /proc, and a read-only system',
      [
        ...['11 10 0:50 / / rw', '12 11 8:1 /usr /usr ro', '13 11 0:51 / /tmp rw', '14 11 0:52 / /dev rw'],
        ...['15 11 0:53 / /proc rw', '16 11 8:2 /me/project /home/me/project rw'],
      ],
    ],
    ['beside which something is mounted', [...copied, '14 12 0:51 / /home/me/project2 rw']],
    [
      'with a mount below it that another one hides, and that shows the same',
      [...['11 10 8:1 / / rw', '14 11 0:51 / /home/me/project/work rw', '12 11 8:2 / /home rw']],
    ],
  ])('leads to the same folder %s', (_, theirs) => {
    expect(isOther('/home/me/project', theirs)).toBe(false);
  });

  it.each<[string, readonly string[]]>([
    ['is mounted over', [...copied, '14 12 0:51 / /home/me/project rw']],
    ['lies in a mount that is not here', ['11 10 8:1 / / rw', '12 11 0:51 / /home rw']],
    ['shows another folder of the same disk', [...copied, '14 12 8:2 /me/other /home/me/project rw']],
    ['is not mounted there', ['11 10 8:1 / / rw']],
    ['holds something that is not here', [...copied, '14 12 0:51 / /home/me/project/work rw']],
    [
      'holds a mount that was filled and made read-only',
      [...copied, '14 12 0:51 / /home/me/project/work ro'],
    ],
    [
      'holds another folder of the same disk, although it is read-only',
      [...copied, '14 12 8:2 /me/other /home/me/project/work ro'],
    ],
    ['is /dev/null itself', [...copied, '14 12 0:5 /null /home/me/project rw']],
    ['is in a root that cannot be followed', ['12 11 8:2 / /home rw']],
    ['is in mounts that are not told', []],
  ])('leads elsewhere where it %s', (_, theirs) => {
    expect(isOther('/home/me/project', theirs)).toBe(true);
  });

  it('leads elsewhere where something is mounted below it here, and not there', () => {
    expect(isOther('/home/me/project', copied, [...OURS, '5 2 0:51 / /home/me/project/work rw'])).toBe(true);
  });

  it('is compared by itself where it is the root: everything is below that', () => {
    expect(isOther('/', [...copied, '14 13 0:51 / /tmp rw'])).toBe(false);
    expect(isOther('/', ['11 10 0:50 / / rw'])).toBe(true);
  });
});

describe('the mount that a path leads to', () => {
  it('is the nearest on the way, as the kernel walks, whatever is listed below a later mount', () => {
    const mounts = table('1 1 8:1 / / rw', '2 1 0:20 / /a/b rw', '3 1 0:21 / /a rw', '4 3 0:22 / /a/c rw');
    expect(['/a/b', '/a/c/d', '/ab'].map((path) => mountAt(mounts, path)?.id)).toEqual(['3', '4', '1']);
  });

  it('is found below a root that something was mounted over, in whatever order they are listed', () => {
    const mounts = table('1 1 0:1 / / rw', '2 1 8:1 / / rw', '3 2 0:20 / /a rw', '4 2 0:21 / /a/b rw');
    for (const listed of [mounts, mounts.toReversed()])
      expect(['/a/b', '/c'].map((path) => mountAt(listed, path)?.id)).toEqual(['3', '2']);
  });
});
