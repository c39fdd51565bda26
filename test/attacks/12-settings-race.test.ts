import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writerOf } from '../../src/adapters/files/writers.ts';
import type { HookAgent } from '../../src/ports/hook-config.ts';
import { HookRoom } from '../adapters/hook-config/hook-room.ts';

/** How many entries are written to each file. The full race: ROLLCALL_SETTINGS_WRITES=5000. */
const SHORT = 120;
const WRITES = Number(process.env.ROLLCALL_SETTINGS_WRITES ?? SHORT);
const WRITER = join(import.meta.dirname, 'settings-writer.mjs');
const WAYS = ['rename', 'lock', 'in-place', 'recreate', 'held', 'append'] as const;
const AGENTS: readonly HookAgent[] = ['claude', 'codex', 'gemini', 'opencode'];

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

interface Race {
  readonly agent: HookAgent;
  readonly ways: readonly string[];
  readonly count: number;
  readonly start: string | null;
}

/** Has hooks installed and removed again and again while somebody writes; answers what became of every entry. */
async function race({ agent, ways, count, start }: Race) {
  const path = room[agent];
  if (start !== null) room.write(path, start);
  const tally = {
    calls: 0,
    done: 0,
    failed: 0,
    entries: count,
    inFile: 0,
    onlyKept: 0,
    lost: [] as number[],
  };
  const told = new Set<string>();
  const step = (action: 'install' | 'remove') => {
    // Everything is kept, so that nothing can be gone only because it was old.
    const { plan, applied } = room.do(action, [agent], 'user', {
      pause: (ms) => standStill(ms / 5),
      findWriter: writerOf,
      backups: { folder: room.backups, kept: Number.MAX_SAFE_INTEGER },
    });
    tally.calls += 1;
    tally[applied.state] += 1;
    for (const { backup } of agent === 'opencode' ? [...applied.backups, ...applied.kept] : applied.kept) {
      told.add(backup);
    }
    return plan;
  };
  if (agent === 'opencode') step('install');
  const argv = [path, String(count), '8', ways.join(','), agent === 'opencode' ? 'text' : 'json'];
  const writer = spawn(process.execPath, [WRITER, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, complaint, status] = ['', '', undefined as number | null | undefined];
  writer.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  writer.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  writer.on('close', (code) => {
    status = code;
  });
  while (status === undefined) {
    for (const action of ['install', 'remove'] as const) {
      step(action);
      await setImmediate();
    }
    if (agent === 'opencode') step('install');
  }
  expect([status, complaint, output.trim()]).toEqual([0, '', String(count)]);
  const texts = [...told].map((each) => readFileSync(each, 'utf8'));
  const final = room.read(path) ?? '';
  for (let index = 0; index < count; index += 1) {
    const mark = agent === 'opencode' ? `entry-${index};` : `"entry-${index}":`;
    if (final.includes(mark)) tally.inFile += 1;
    else if (texts.some((text) => text.includes(mark))) tally.onlyKept += 1;
    else tally.lost.push(index);
  }
  return tally;
}

describe('settings that somebody else writes while hooks are installed and removed', () => {
  it.each(AGENTS)(
    'lose no entry, whatever way it is written: %s',
    async (agent) => {
      const start = agent === 'codex' || agent === 'opencode' ? null : '{\n  "user": true\n}\n';
      const tally = await race({ agent, ways: WAYS, count: WRITES, start });
      if (WRITES !== SHORT) console.log(agent, JSON.stringify(tally));
      expect(tally).toMatchObject({ lost: [] });
      expect(tally.done).toBeGreaterThan(0);
    },
    Math.max(600_000, WRITES * 200),
  );
});
