import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findInstalled } from '../../../src/adapters/installed-agents/find-installed.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'installed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

const verified = { from: '2.1.0', to: '2.1.325' };
const find = (path = folder, timeoutMs = 60_000) =>
  findInstalled({
    env: { PATH: `${path}:/usr/bin:/bin` },
    agents: [{ kind: 'claude', verified }, { kind: 'aider' }, { kind: 'codex', verified }],
    timeoutMs,
  });

describe('installed agents', () => {
  it('are found on the search path with their versions', async () => {
    const claude = program('claude', "echo '2.1.325 (Claude Code)'");
    const codex = program('codex', 'echo codex-cli 0.166.0');
    const aider = program('aider', 'echo aider 0.86.1 >&2; exit 1');
    expect(await find()).toEqual([
      { kind: 'claude', path: claude, version: '2.1.325', verified, isVerified: true },
      { kind: 'aider', path: aider, version: null, verified: null, isVerified: false },
      { kind: 'codex', path: codex, version: '0.166.0', verified, isVerified: false },
    ]);
  });

  it.each([
    ['waits for ever', 'sleep 1000'],
    ['reads from its terminal', 'read word && echo 1.2.3'],
    ['prints without end', 'yes'],
    ['prints no version', 'echo hello 1.2.3.4.5'],
  ])('that one of them %s does not hold up the others', async (_, script) => {
    program('codex', script);
    program('claude', 'echo 2.1.1');
    // A busy machine may need longer for the one that answers.
    let timeoutMs = 500;
    const ask = () => {
      timeoutMs *= 2;
      return find(folder, timeoutMs);
    };
    const found = await until('the other is heard', ask, ([claude]) => claude?.version !== null);
    expect(found.map(({ version }) => version)).toEqual(['2.1.1', null]);
  });

  it('leave nothing running that was started only to be asked', async () => {
    const mark = join(folder, 'pid');
    program('claude', `sleep 1000 & echo $! > ${mark}; wait`);
    let timeoutMs = 500;
    const ask = () => {
      timeoutMs *= 2;
      return find(folder, timeoutMs);
    };
    const found = await until(
      'it told its pid in time',
      ask,
      () => existsSync(mark) && statSync(mark).size > 0,
    );
    expect(found.map(({ version }) => version)).toEqual([null]);
    const pid = await toldPid(mark);
    await until('its child is gone', () => !existsSync(`/proc/${pid}/fd/0`));
  });

  it('are neither folders, nor files that cannot be run, nor in a relative folder', async () => {
    mkdirSync(join(folder, 'claude'));
    program('codex', 'echo 1.0.0', 0o644);
    expect(await find()).toEqual([]);
    expect(await find('.')).toEqual([]);
  });
});
