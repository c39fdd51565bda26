import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

const BARE = 'env -u TMUX -u TMUX_PANE';

describe.skipIf(!hasWorlds)('law 11: rollcall never closes the session that it runs in', () => {
  let world: World;
  let bystanders: Awaited<ReturnType<World['bystanders']>>;

  beforeEach(async () => {
    world = await World.open();
    bystanders = await world.bystanders();
    await world.session('A');
  });
  afterEach(async () => {
    expect(await bystanders.harmed()).toEqual([]);
    await world.close();
  });

  /** Has the shell in A run a script, and gives what `rollcall close` printed and its exit status. */
  async function insideA(before: string, after = ''): Promise<string> {
    const [script, out] = [join(world.folder, 'inside.sh'), join(world.folder, 'out')];
    const close = join(world.folder, 'close.sh');
    writeFileSync(
      close,
      `${ROLLCALL} close A --force --json >${out}.part 2>&1; echo "exit $?" >>${out}.part; mv ${out}.part ${out}\n`,
    );
    writeFileSync(script, `${before} bash ${close} ${after}\n`);
    await world.tmux('send-keys', '-t', '=A:', `bash ${script}`, 'Enter');
    await until('rollcall has answered', async () => existsSync(out) || !(await world.names()).includes('A'));
    return existsSync(out) ? readFileSync(out, 'utf8') : 'A is gone';
  }

  test.each([
    ['as it is', '', ''],
    ['without TMUX and TMUX_PANE', BARE, ''],
    [
      'with an empty environment',
      `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" XDG_CONFIG_HOME="$XDG_CONFIG_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"`,
      '',
    ],
    ['in a terminal session of its own', `${BARE} setsid -w`, ''],
    ['left behind by its parent, at the same terminal', `( ${BARE}`, '</dev/null & )'],
    ['left behind without a terminal, with the mark of its pane', 'setsid -f', ''],
    [
      'below something that was left behind with the mark of its pane',
      `setsid -f bash -c '"$@"; true' _ ${BARE}`,
      '',
    ],
    ['with marks of another server', 'env TMUX=/nowhere,1,0 TMUX_PANE=%77', ''],
  ])('S7: %s', async (_, before, after) => {
    const said = await insideA(before, after);
    expect(said).toContain('own-session');
    expect(said).toContain('exit 3');
    expect(await world.names()).toContain('A');
  });
});
