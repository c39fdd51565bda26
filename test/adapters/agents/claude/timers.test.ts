import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepsSchedule, searchTimers } from '../../../../src/adapters/agents/claude/timers.ts';
import { createTranscripts } from '../../../../src/adapters/agents/claude/transcripts.ts';

let folder: string;
let path: string;
const MEGABYTE = 1024 * 1024;
const CALL = '{"type":"tool_use","id":"toolu_1","name":"CronCreate","input":{}}\n';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-claude-'));
  path = join(folder, 'transcript.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('S12: timers show nowhere but in the transcript', () => {
  it.each([
    ['a call that sets one', CALL, true],
    ['a call that sets a wake-up', CALL.replace('CronCreate', 'ScheduleWakeup'), true],
    ['one carried over by /clear', '{"attachment":{"type":"session_cron_carry","tasks":[]}}\n', true],
    ['a list of tools', '{"addedNames":["CronCreate"]}\n', false],
    ['the description of a tool', '{"name":"CronCreate","description":"Schedules"}\n', false],
    ['prose that quotes a call', `${JSON.stringify({ text: CALL })}\n`, false],
    ['other calls', CALL.replace('CronCreate', 'Bash'), false],
  ])('%s', (_, text, isSuspect) => {
    writeFileSync(path, text);
    expect(searchTimers(path, undefined, MEGABYTE)).toMatchObject({ isComplete: true, isSuspect });
  });

  it.each([0, 1, 7, 18, 26])('a call that lies across two reads is found (%i)', (shift) => {
    const mark = CALL.indexOf('"name"');
    writeFileSync(path, `${'x'.repeat(MEGABYTE - mark - shift)}${CALL}`);
    expect(searchTimers(path, undefined, 3 * MEGABYTE)).toMatchObject({ isSuspect: true });
  });

  it('a call that comes later, across the end of the last search, is found', () => {
    writeFileSync(path, CALL.slice(0, 45));
    const before = searchTimers(path, undefined, MEGABYTE);
    expect(before).toMatchObject({ isComplete: true, isSuspect: false });
    appendFileSync(path, CALL.slice(45));
    expect(searchTimers(path, before ?? undefined, MEGABYTE)).toMatchObject({ isSuspect: true });
  });

  it('S57: a long transcript is searched piece by piece, and proves nothing until it is done', () => {
    writeFileSync(path, 'x'.repeat(2.5 * MEGABYTE));
    const first = searchTimers(path, undefined, MEGABYTE);
    expect(first).toMatchObject({ searched: MEGABYTE, isComplete: false });
    const second = searchTimers(path, first ?? undefined, 2 * MEGABYTE);
    expect(second).toMatchObject({ isComplete: true, isSuspect: false });
  });

  it('S23: a transcript that was cut short or replaced may have lost one', () => {
    writeFileSync(path, 'nothing here\n');
    const before = searchTimers(path, undefined, MEGABYTE) ?? undefined;
    truncateSync(path, 3);
    expect(searchTimers(path, before, MEGABYTE)).toMatchObject({ isSuspect: true });
    writeFileSync(`${path}.new`, 'nothing here either\n');
    renameSync(`${path}.new`, path);
    expect(searchTimers(path, before, MEGABYTE)).toMatchObject({ isSuspect: true });
  });

  it('what cannot be read proves nothing', () => {
    expect(searchTimers(path, undefined, MEGABYTE)).toBeNull();
    expect(searchTimers(folder, undefined, MEGABYTE)).toBeNull();
    expect(createTranscripts().isTimerless(path, 0)).toBe(false);
  });

  it('the searches of one moment share what may be read', () => {
    const transcripts = createTranscripts();
    const paths = [1, 2].map((number) => join(folder, `${number}.jsonl`));
    for (const each of paths) writeFileSync(each, 'x'.repeat(10 * MEGABYTE));
    expect(paths.map((each) => transcripts.isTimerless(each, 0))).toEqual([true, false]);
    expect(paths.map((each) => transcripts.isTimerless(each, 500))).toEqual([true, true]);
  });
});

describe('the timers of a project are kept by one process', () => {
  const lock = (text: string) => {
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude', 'scheduled_tasks.lock'), text);
  };

  it('which the lock names', () => {
    expect(keepsSchedule(folder, 12)).toBe(false);
    lock('{"sessionId":"x","pid":12,"procStart":"1252307"}');
    expect(keepsSchedule(folder, 12)).toBe(true);
    expect(keepsSchedule(folder, 1)).toBe(false);
    lock('{"sess');
    expect(keepsSchedule(folder, 1)).toBe(true);
  });
});
