import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasWorlds, World } from '../laws/world.ts';
import { until } from '../support/until.ts';

// Works, and has a file say that it rests.
const WORKER = `echo "$$ idle none talk" > "$1.new"; mv "$1.new" "$1"; while :; do sleep 1000; done\n`;

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** Starts a script as `sh SCRIPT STATUS`, and waits until its file says that it is idle. */
async function start(name: string, script: string): Promise<void> {
  const status = join(world.folder, `${name}.status`);
  await world.session(name, 'sh', script, status);
  await until('it has spoken', () => existsSync(status));
}

function strange(folder: string): string {
  mkdirSync(join(world.folder, folder), { recursive: true });
  const script = join(world.folder, folder, 'rollcall-scripted-agent');
  writeFileSync(script, WORKER, { mode: 0o755 });
  return script;
}

describe.skipIf(!hasWorlds)('a program that is called like the agent of the demo', () => {
  it('is nobody, whatever its status file says: in a normal installation and beside a known script', async () => {
    await start('stranger', strange('elsewhere'));
    for (const env of [
      { ROLLCALL_SCRIPTED_AGENT: undefined },
      {},
      { ROLLCALL_SCRIPTED_AGENT: 'elsewhere' },
    ]) {
      const { sessions } = await world.json<{ sessions: { agent: unknown; activity: string }[] }>([], env);
      expect(sessions).toMatchObject([
        { agent: null, activity: expect.stringMatching(/^(unknown|working)$/) },
      ]);
    }
    const closed = await world.rollcall(['close', 'stranger', '--timeout', '3s']);
    expect([closed.exitCode, await world.names()]).toEqual([3, ['stranger']]);
  });

  it('is nobody where others may write to the script that is named', async () => {
    const script = strange('bin');
    await start('open', script);
    const agent = async () => (await world.json<{ sessions: { agent: unknown }[] }>([])).sessions[0]?.agent;
    expect(await agent()).toMatchObject({ kind: 'scripted' });
    chmodSync(script, 0o777);
    expect(await agent()).toBeNull();
  });

  it('is not run again from an archive of earlier', async () => {
    await world.session('stays', 'sleep', '100000');
    const argv = world.agents.argv('worker', 'leaves');
    await world.rollcall(['run', '--name', 'worker', '--', ...argv]);
    await world.agents.pid('worker');
    await world.rollcall(['close', 'worker', '--force', '--yes', '--despite', 'recent-input']);
    expect(await world.names()).toEqual(['stays']);
    const reopened = await world.rollcall(['reopen', 'worker'], { ROLLCALL_SCRIPTED_AGENT: '' });
    expect([reopened.exitCode, reopened.stdout + reopened.stderr]).toEqual([
      0,
      expect.stringContaining('no such agent is known here'),
    ]);
    expect(world.processes().filter((one) => one.argv.includes(world.agents.program))).toEqual([]);
  });
});
