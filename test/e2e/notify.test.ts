import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeNotifier } from '../../src/compose/notify.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { round, rule, waiting } from '../core/notify/rounds.ts';
import { removeFolder } from '../support/remove-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'told-'));
});
afterEach(() => removeFolder(folder));

/** One life of a daemon: these rounds, and its end. */
async function live(rounds: readonly Parameters<typeof round>[0][]) {
  const tell = join(folder, 'tell');
  writeFileSync(tell, `#!/bin/sh\necho "$ROLLCALL_SESSION" >> ${folder}/told\n`);
  chmodSync(tell, 0o755);
  const logged: string[] = [];
  const env = { ...process.env, XDG_STATE_HOME: folder };
  const rules = [rule({ sink: { kind: 'command', argv: [tell] }, timeoutMs: 60_000 })];
  const notifier = composeNotifier(env, toSettings(defaultValues(), new Map(), rules), (text) =>
    logged.push(text),
  );
  for (const parts of rounds) await notifier.observe(round(parts));
  await notifier.stop();
  return logged;
}

const told = () => readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');
const memory = () => join(folder, 'rollcall', 'notified.json');

describe('S50: a daemon that is started again and again', () => {
  it('tells by a real command what is new, and nothing twice', async () => {
    expect(await live([{ sessions: [waiting('a')] }])).toEqual([]);
    expect(await live([{ sessions: [waiting('a')], afterMs: 1000 }])).toEqual([]);
    await live([{ sessions: [waiting('a'), waiting('b')], afterMs: 2000 }]);
    expect(told()).toEqual(['a', 'b']);
    expect(statSync(memory()).mode & 0o077).toBe(0);
  });

  it('S36: says that its memory is damaged, and begins a new one', async () => {
    await live([{ sessions: [waiting('a')] }]);
    writeFileSync(memory(), '{"format": 1');
    const logged = await live([{ sessions: [waiting('a')], afterMs: 1000 }]);
    expect(logged).toEqual([expect.stringContaining('what was told before is not known: ')]);
    expect(await live([{ sessions: [waiting('a')], afterMs: 2000 }])).toEqual([]);
    expect(told()).toEqual(['a', 'a']);
    expect(readdirSync(join(folder, 'rollcall')).sort()).toEqual(['notified.json', 'notified.json.damaged']);
  });

  it('S55: goes on without a memory where the state folder is not to be trusted', async () => {
    writeFileSync(join(folder, 'rollcall'), 'not a folder');
    const logged = await live([{ sessions: [waiting('a')] }, { sessions: [waiting('a')], afterMs: 1000 }]);
    expect(logged).toEqual([
      expect.stringContaining('what was told before is not known: '),
      expect.stringContaining('what was told is not remembered: '),
    ]);
    expect(told()).toEqual(['a']);
  });
});
