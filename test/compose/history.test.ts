import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { composeHistory, composeHistoryReader } from '../../src/compose/history.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { judged, later, reapEvent, round } from '../core/history/rounds.ts';
import { idleAgent } from '../support/evidence.ts';

let env: { XDG_STATE_HOME: string };
beforeEach(() => {
  env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'rollcall-history-')) };
});
afterEach(() => rmSync(env.XDG_STATE_HOME, { recursive: true, force: true }));

const settings = toSettings(defaultValues());

async function kindsIn(): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { records } of composeHistoryReader(env).read(0))
    kinds.push(...records.map(({ kind }) => kind));
  return kinds;
}

describe('the history of the daemon', () => {
  test('begins with its start, goes on round by round, and ends with its stop', async () => {
    const history = composeHistory(env, settings);
    await history.started();
    await history.record(round(later(0), { sessions: [judged('build', idleAgent())] }));
    await history.record(round(later(2000), { events: [reapEvent()] }));
    await history.stopped();
    expect(await kindsIn()).toEqual(['start', 'pressure', 'mode', 'seen', 'gone', 'reap', 'stop']);
  });

  test('S36: says that it could not be written, and tells all again once it can be', async () => {
    const history = composeHistory(env, settings);
    const folder = join(env.XDG_STATE_HOME, 'rollcall', 'history');
    writeFileSync(folder, 'in the way');
    const first = round(later(0), { sessions: [judged('build', idleAgent())] });
    await expect(history.record(first)).rejects.toThrow(/the history was not written: .*is not a folder/);
    rmSync(folder);
    await history.record(first);
    await history.stopped();
    expect(await kindsIn()).toEqual(['pressure', 'mode', 'seen', 'stop']);
  });

  test('S55: is not there in a state folder that is somebody else’s', () => {
    const elsewhere = join(env.XDG_STATE_HOME, 'elsewhere');
    symlinkSync(elsewhere, join(env.XDG_STATE_HOME, 'rollcall'));
    expect(() => composeHistory(env, settings)).toThrow(/symbolic link/);
    expect(() => composeHistoryReader(env)).toThrow(/symbolic link/);
    expect(readdirSync(env.XDG_STATE_HOME)).toEqual(['rollcall']);
  });
});
