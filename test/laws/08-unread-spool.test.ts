import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { ClaudeStandIn, spoolOf } from './claude-stand-in.ts';
import { hasWorlds, type SeenEntry, World } from './world.ts';

interface Roll {
  readonly sessions: readonly SeenEntry[];
  readonly problems: readonly { readonly code: string; readonly text: string }[];
}

// More than one look takes in.
const OTHERS = 50_000;

describe.skipIf(!hasWorlds)('law 8: hooks that were not heard prove nothing', () => {
  let world: World;
  let bystanders: Awaited<ReturnType<World['bystanders']>>;
  let claude: ClaudeStandIn;

  beforeEach(async () => {
    world = await World.open();
    // In memory: a disk takes long for so many files.
    await world.sh('mkdir -m 700 state/rollcall && mount -t tmpfs -o mode=700 none state/rollcall');
    await world.sh('mkdir -m 700 state/rollcall/spool');
    bystanders = await world.bystanders();
    claude = await ClaudeStandIn.start(world, 'A');
    claude.send('1.first', claude.stop(0));
  });
  afterEach(async () => {
    expect(await bystanders.harmed()).toEqual([]);
    await world.close();
  });

  const roll = () => world.json<Roll>([]);
  const polled = () => world.asked<Roll>([]);
  const ofA = ({ sessions }: Roll) => sessions.find(({ name }) => name === 'A');
  const textsOf = (entry: SeenEntry | undefined) => (entry?.reasons ?? []).map(({ text }) => text).join('\n');
  const waiting = (seen: Roll) =>
    Number(/^(\d+) hook events still wait to be read$/m.exec(textsOf(ofA(seen)))?.[1] ?? 0);
  const untilIdle = () =>
    until(
      'it is known to be idle',
      async () => ofA(await polled())?.activity,
      (activity) => activity === 'idle',
    );
  const refused = async () => {
    const { exitCode, stdout, stderr } = await world.rollcall(['close', 'A', '--timeout', '10s']);
    expect([stdout + stderr, exitCode]).toEqual([expect.any(String), 3]);
    expect(await world.names()).toContain('A');
    expect(world.isAlive(claude.pid)).toBe(true);
  };

  /** Its hooks are heard and what they told is saved, and its work is declared done. */
  const untilClosable = async () => {
    for (let other = 0; other < 120; other += 1) claude.send(`2.${other}`, claude.event('Notification', {}));
    await untilIdle();
    const { stderr, exitCode } = await world.ask(['complete', 'A']);
    expect([stderr, exitCode]).toEqual(['', 0]);
  };

  test('an idle Claude whose hooks were all heard is closed', async () => {
    await untilClosable();
    const { exitCode, stdout, stderr } = await world.rollcall(['close', 'A']);
    expect([stdout + stderr, exitCode]).toEqual([expect.any(String), 0]);
    expect(await world.names()).not.toContain('A');
  });

  test('a backlog that hides its last stop makes it unknown, and each look works off a part of it', async () => {
    await untilClosable();
    const other = claude.event('PreToolUse', { session_id: 'another', tool_name: 'Bash' }).text;
    const write = `const fs = require('fs'); const text = ${JSON.stringify(other)};
      for (let i = 0; i < ${OTHERS}; i += 1) {
        const name = '3.' + String(i).padStart(8, '0');
        fs.writeFileSync(name, text + '\\nend=' + name + '\\n');
      }`;
    await world.run(['env', '-C', `${world.stateFolder}/spool`, process.execPath, '-e', write]);
    claude.send('4.last', claude.stop(1));

    const first = await roll();
    expect(ofA(first)).toMatchObject({ activity: 'unknown', lifecycle: 'unknown' });
    expect(waiting(first)).toBeGreaterThan(OTHERS / 2);
    expect(first.problems.find(({ code }) => code === 'hooks-unheard')?.text).toContain('still wait');
    await refused();
    expect(waiting(await roll())).toBeLessThan(waiting(first));
  });

  test('an event of its own that is half written makes it unknown', async () => {
    await untilClosable();
    claude.send('3.last', claude.stop(1), false);
    expect(textsOf(ofA(await roll()))).toContain('its hook Stop has not finished its event');
    await refused();
  });

  test('a spool that is gone makes it unknown', async () => {
    await untilClosable();
    rmSync(spoolOf(world), { recursive: true });
    expect(textsOf(ofA(await roll()))).toContain('spool is gone');
    await refused();
  });

  test('a memory of hooks that is damaged takes back what it proved, for good', async () => {
    claude.send('3.last', claude.stop(1));
    for (let other = 0; other < 120; other += 1) claude.send(`2.${other}`, claude.event('Notification', {}));
    await until(
      'it is known to work',
      async () => ofA(await polled())?.activity,
      (activity) => activity === 'working',
    );
    writeFileSync(`${spoolOf(world)}.json`, '{');
    for (let look = 0; look < 2; look += 1) {
      expect(textsOf(ofA(await roll()))).toContain('what its hooks told before may have been lost');
    }
    await refused();
  });

  test('an event that cannot be understood takes back the rest that was proven before', async () => {
    await untilClosable();
    claude.send('3.last', { text: `${claude.stop(1).text.split('"background_tasks"')[0]}"x":"cut` });
    await until(
      'it is not known to be idle any more',
      async () => ofA(await polled())?.activity,
      (activity) => activity === 'unknown',
    );
    await refused();
    claude.send('4.next', claude.stop(0));
    await untilIdle();
  });
});
