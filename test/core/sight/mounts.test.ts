import { describe, expect, it } from 'vitest';
import { deviceText, mountAt, mountsIn, mountsThatMayStop } from '../../../src/core/sight/mounts.ts';

const line = (place: string, type: string, source = 'none') =>
  `36 35 98:0 / ${place} rw,noatime master:1 - ${type} ${source} rw,errors=continue\n`;

describe('mounts that may stop to answer', () => {
  it('are those that another program or machine answers for', () => {
    const table = [
      line('/', 'ext4', '/dev/vda'),
      line('/home/me/far', 'fuse.sshfs', 'host:/'),
      line('/srv', 'nfs4', 'server:/srv'),
      line('/run/user/1000/doc', 'fuse.portal'),
      line('/tmp', 'tmpfs'),
    ].join('');
    expect(mountsThatMayStop(table)).toEqual(['/home/me/far', '/srv', '/run/user/1000/doc']);
  });

  it('are those of an unknown kind, and disks at the other end of a network', () => {
    const table =
      line('/new', 'newfs') + line('/nbd', 'ext4', '/dev/nbd0') + line('/rbd', 'xfs', '/dev/rbd1');
    expect(mountsThatMayStop(table)).toEqual(['/new', '/nbd', '/rbd']);
  });

  it.each([
    ...['vfat', 'exfat', 'ntfs3', 'iso9660', 'squashfs', 'devpts', 'mqueue', 'cgroup2', 'debugfs'],
    ...['nsfs', 'bpf', 'configfs', 'rpc_pipefs', 'binder', 'nfsd'],
  ])('are no disk of this machine and nothing of the kernel’s own, wherever it is: %s', (type) => {
    expect(mountsThatMayStop(line('/media/it', type, type === 'vfat' ? '/dev/sdb1' : 'none'))).toEqual([]);
  });

  it('are none of the system’s own, such as what stands in for /proc/meminfo in a container', () => {
    const table =
      line('/proc', 'proc') +
      line('/proc/meminfo', 'fuse.lxcfs') +
      line('/proc/sys/fs/binfmt_misc', 'autofs', 'systemd-1') +
      line('/sys/fs/fuse/connections', 'fusectl');
    expect(mountsThatMayStop(table)).toEqual([]);
    expect(mountsThatMayStop(line('/procession', 'fuse'))).toEqual(['/procession']);
  });

  it('are named as they are called, whatever the kernel writes for a blank', () => {
    expect(mountsThatMayStop(line('/my\\040disk', 'fuse.ntfs'))).toEqual(['/my disk']);
  });

  it('are none in a table that is empty or cut short', () => {
    expect(mountsThatMayStop('')).toEqual([]);
    expect(mountsThatMayStop('36 35 98:0 / /mnt rw\n')).toEqual([]);
    expect(mountsThatMayStop('36 - ')).toEqual(['']);
  });
});

describe('a mount', () => {
  it('is told by its number, its device and whether the kernel answers for it, wherever it is mounted', () => {
    const safe = { id: '36', parent: '35', device: '98:0', root: '/', isSafe: true };
    expect(mountsIn(line('/', 'ext4', '/dev/vda') + line('/proc/mine', 'fuse'))).toEqual([
      { ...safe, place: '/' },
      { ...safe, place: '/proc/mine', isSafe: false },
    ]);
  });

  it('is told with what it shows', () => {
    const [mount] = mountsIn('36 35 98:0 /my\\040part /here rw,noatime - ext4 /dev/vda rw\n');
    expect(mount).toMatchObject({ root: '/my part', place: '/here' });
  });

  it.each([
    [0x801n, '8:1'],
    [0x36n, '0:54'],
    [0xfd00n, '253:0'],
    [0x1_0000_1234_5678n, '66646:74616'],
  ])('has the device that stat tells as %d', (device, text) => {
    expect(deviceText(device)).toBe(text);
  });
});

it('finds the mount of the root itself, and none where no table tells', () => {
  const mounts = mountsIn('22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 0:40 / /mnt rw - nfs4 host:/x rw\n');
  expect(mountAt(mounts, '/')?.id).toBe('22');
  expect(mountAt(mounts, '/mnt')?.id).toBe('30');
  expect(mountAt([], '/mnt')).toBeNull();
  const other = mountsIn('31 22 0:41 / /mnt rw - nfs4 host:/y rw\n');
  expect(mountAt([...mounts, ...other], '/mnt')?.id).toBe('30');
  // A table that leads in a circle.
  const back = mountsIn('22 30 0:41 / /mnt rw - nfs4 host:/y rw\n');
  expect(mountAt([...mounts, ...back], '/mnt/x')?.place).toBe('/mnt');
});
