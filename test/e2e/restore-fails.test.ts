import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-thursday';
const FAILS = '#!/bin/bash\necho "login failed for token $TOKEN"\nexit 1\n';
/** Fails only once it is told to. */
const FAILS_LATE =
  '#!/bin/bash\nuntil [ -e "$HOME/fail" ]; do sleep 0.1; done\necho "no network, $TOKEN"\nexit 1\n';

class Failing extends RestoreRoom {
  /** What is started as the agent from now on. */
  agentIs(script: string): void {
    writeFileSync(this.claude, script, { mode: 0o755 });
  }

  fail(): void {
    writeFileSync(join(this.home, 'fail'), '');
  }
}

const test = base.extend<{ room: Failing }>({
  room: async ({ task: _ }, use) => {
    const room = new Failing();
    await use(room);
    room.leave();
  },
});

describe.concurrent('endings 12: an agent that does not come back', () => {
  test('what it prints of its variables is neither shown nor recorded, at once or later', async ({
    room,
  }) => {
    await room.agent('one', '--env', `TOKEN=${VALUE}`);
    await room.crash();
    room.agentIs(FAILS);
    const restored = await room.restore('--yes');
    expect(restored.sessions).toMatchObject([{ name: 'one', result: 'failed' }]);
    expect(JSON.stringify(restored)).not.toContain(VALUE);
    const { stdout, stderr } = await room.cli('reopen', 'one');
    expect(stdout + stderr).toContain('login failed for token ***');

    room.agentIs(FAILS_LATE);
    await room.done('reopen', 'one');
    room.fail();
    const log = await until(
      'its end is recorded',
      async () => {
        await room.cli('wake', 'nobody');
        return room.done('log', '--json');
      },
      (text) => text.includes('no network'),
    );
    expect(log).toContain('login failed for token ***');
    expect(log).not.toContain(VALUE);
    expect(await room.done('--json', '--all', ...room.server)).not.toContain(VALUE);
  });
});
