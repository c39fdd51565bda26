import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createPressureSensor } from '../../src/adapters/host/pressure-sensor.ts';
import { composePressure } from '../../src/compose/pressure.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { BoundedMemory, mayBoundMemory } from '../support/bounded-memory.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

const MIB = 1024 ** 2;
const LIMIT = 96 * MIB;

describe.runIf(mayBoundMemory)('memory pressure in a real cgroup', () => {
  let tmux: PrivateTmux | undefined;
  let bounded: BoundedMemory | undefined;

  afterEach(async () => {
    tmux?.stop();
    await bounded?.remove();
  });

  test('S38: a tmux server at the limit of its cgroup is short of memory on a host that is not', async () => {
    bounded = new BoundedMemory(LIMIT);
    tmux = new PrivateTmux('bounded');
    await tmux.session('first');
    bounded.enter(tmux.serverPid);
    const server = { pid: tmux.serverPid, name: 'tmux server bounded' };
    const { scope } = bounded;
    const availableNow = () => {
      const found = createPressureSensor()
        .sense([server])
        .find((reading) => reading.scope === scope && reading.signal === 'available');
      return found?.state === 'read' ? found : null;
    };
    expect(availableNow()).toMatchObject({ totalBytes: LIMIT, holders: [server.name] });

    const env = { ...process.env, XDG_STATE_HOME: mkdtempSync(join(tmux.folder, 'state-')) };
    // With room to spare, so that the kernel kills nothing.
    const values = { ...defaultValues(), 'pressure.critical.after': 0, 'pressure.critical.available': 40 };
    const look = () => composePressure(env, toSettings(values))([server]).pressure;
    expect(look()).toMatchObject({ tier: 'normal', isFirstLook: true });

    // A line without an end: tail has to keep all of it.
    await tmux.session('ballast', 'sh', '-c', `head -c ${75 * MIB} /dev/zero | tail; sleep 60`);
    await until('the ballast is in memory', () => (availableNow()?.value ?? LIMIT) < 0.3 * LIMIT);
    const pressure = look();
    expect(pressure).toMatchObject({ tier: 'critical', isFirstLook: false });
    expect(pressure.reason.signal).toContain(scope);
    expect(pressure.signals.find(({ key }) => key === 'available host')).toMatchObject({ reached: 'normal' });
  });
});
