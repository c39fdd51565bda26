import { readFileSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { FakeHost } from './fake-host.ts';

const MACHINE_ID = '3d1219c7c4c5404aaa1f6d2a48adfda4';
const BOOT_ID = 'c2c48dd4-79f2-43f9-a778-e5ecb05629dd';

describe('the identity of a machine', () => {
  let host: FakeHost;
  const identityOf = (name = 'box') =>
    createHostSensor({ platform: 'linux', ...host, hostname: () => name }).identity();

  beforeEach(() => {
    host = new FakeHost();
    host.write('proc/sys/kernel/random/boot_id', `${BOOT_ID}\n`);
  });
  afterEach(() => host.remove());

  test('is its machine id, boot id and name', () => {
    host.write('etc/machine-id', `${MACHINE_ID}\n`);
    expect(identityOf()).toEqual({ machineId: MACHINE_ID, bootId: BOOT_ID, name: 'box' });
  });

  test.each(['', 'uninitialized\n', 'not an id'])(
    'comes from the second place when the first holds %j',
    (text) => {
      host.write('etc/machine-id', text);
      host.write('dbus/machine-id', `${MACHINE_ID}\n`);
      expect(identityOf().machineId).toBe(MACHINE_ID);
    },
  );

  test('without any machine id is derived from the name: always the same, and another for another name', () => {
    expect(identityOf('box').machineId).toMatch(/^[0-9a-f]{32}$/);
    expect(identityOf('box').machineId).toBe(identityOf('box').machineId);
    expect(identityOf('box').machineId).not.toBe(identityOf('crate').machineId);
  });

  test('tells two boots apart also where the boot id is masked', () => {
    host.delete('proc/sys');
    host.write('proc/stat', 'cpu 1\nbtime 1700000000\n');
    const first = identityOf().bootId;
    expect(identityOf().bootId).toBe(first);
    host.write('proc/stat', 'cpu 1\nbtime 1700009999\n');
    expect(identityOf().bootId).not.toBe(first);
  });

  test('S34: names the pid namespace, in which alone numbers of processes mean anything', () => {
    host.write('proc/self/ns/mnt', '');
    symlinkSync('pid:[4026531836]', join(host.procRoot, 'self/ns/pid'));
    expect(identityOf().pidNamespace).toBe('4026531836');
    host.delete('proc/self/ns/pid');
    symlinkSync('elsewhere', join(host.procRoot, 'self/ns/pid'));
    expect(identityOf()).not.toHaveProperty('pidNamespace');
  });

  test('is read once', () => {
    const sensor = createHostSensor({ platform: 'linux', ...host });
    const { bootId } = sensor.identity();
    host.write('proc/sys/kernel/random/boot_id', 'another\n');
    expect(sensor.identity().bootId).toBe(bootId);
  });

  test('S54: holds no control character', () => {
    host.write('proc/sys/kernel/random/boot_id', 'a\u001b]0;x\u0007b\n');
    expect(identityOf('b\u001bx')).toMatchObject({ bootId: 'a\\e]0;x\\u{7}b', name: 'b\\ex' });
  });

  test('of a Mac is its platform UUID and boot session', () => {
    const answers: Record<string, string> = {
      '/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice':
        '+-o Mac  <class IOPlatformExpertDevice>\n    {\n      "IOPlatformUUID" = "5F7C1A2B-0000-5555-9999-ABCDEF012345"\n    }\n',
      '/usr/sbin/sysctl -n kern.bootsessionuuid': '0A1B2C3D-1111-2222-3333-444455556666\n',
    };
    const run = (program: string, args: readonly string[]) => answers[[program, ...args].join(' ')] ?? null;
    expect(createHostSensor({ platform: 'darwin', run, hostname: () => 'mac' }).identity()).toEqual({
      machineId: '5F7C1A2B-0000-5555-9999-ABCDEF012345',
      bootId: '0A1B2C3D-1111-2222-3333-444455556666',
      name: 'mac',
    });
    const silent = createHostSensor({
      platform: 'darwin',
      run: () => null,
      hostname: () => 'mac',
    }).identity();
    expect(silent.machineId).toMatch(/^[0-9a-f]{32}$/);
  });

  test.runIf(process.platform === 'linux')('of the real machine is what the kernel says', () => {
    const { bootId, name } = createHostSensor().identity();
    expect(bootId).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(name).toBe(hostname());
  });
});
