import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

/** Works for others below a daemon that all Codex share; `$0` is the word by which it is known for that daemon. */
const daemon = (env: string) => `env ${env} bash -c 'exec -a work-of-another sleep 100000' & wait`;

describe.skipIf(!hasWorlds)('law 2: what runs below a shared daemon is nobody’s', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  /** An agent whose pane has started the daemon, with work in it. */
  async function starter(env: string): Promise<{ work: number; daemon: number }> {
    const script = `setsid bash -c "exec -a codex bash -c \\"${daemon(env)}\\" app-server" & exec "$@"`;
    // What an earlier one of that name has said says nothing of this one.
    rmSync(world.agents.file('starter'), { force: true });
    await world.session('starter', 'bash', '-c', script, 'sh', ...world.agents.argv('starter', 'leaves'));
    await world.agents.pid('starter');
    const isWork = ({ argv }: { argv: readonly string[] }) => argv[0] === 'work-of-another';
    const work = await until('the work runs', () => world.processes().find(isWork));
    await world.complete('starter');
    return { work: work?.pid ?? 0, daemon: work?.ppid ?? 0 };
  }

  test('a plain close of the pane that started it ends neither the daemon nor another’s work', async () => {
    const bystanders = await world.bystanders();
    const { work, daemon } = await starter('CODEX_THREAD_ID=thread-of-another');
    const { exitCode, stdout } = await world.rollcall(['close', 'starter']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('closed, receipt')]);
    expect([world.isAlive(work), world.isAlive(daemon)]).toEqual([true, true]);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('nor does a forced one', async () => {
    const { work, daemon } = await starter('CODEX_THREAD_ID=thread-of-another');
    const { exitCode, stdout } = await world.rollcall(['close', 'starter', '--force']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('closed, receipt')]);
    expect([world.isAlive(work), world.isAlive(daemon)]).toEqual([true, true]);
  });

  test('the conversation’s own work in it stands against closing, and so does work that nobody’s name is on', async () => {
    for (const env of ['CODEX_THREAD_ID=talk-starter', 'LANG=C']) {
      const { work } = await starter(env);
      const { exitCode, stdout } = await world.rollcall(['close', 'starter']);
      expect([exitCode, stdout]).toEqual([3, expect.stringContaining('(nothing-outside)')]);
      expect(stdout).toContain(`work-of-another (pid ${work})`);
      await world.tmux('kill-session', '-t', '=starter');
      await world.sh(`kill -KILL ${work}`);
      await until('it is gone', () => !world.isAlive(work));
    }
  });

  test('an agent beside it that did not start it may be closed', async () => {
    const { work } = await starter('LANG=C');
    await world.session('beside', ...world.agents.argv('beside', 'leaves'));
    await world.agents.pid('beside');
    await world.complete('beside');
    expect((await world.rollcall(['close', 'beside'])).exitCode).toBe(0);
    expect(world.isAlive(work)).toBe(true);
  });
});
