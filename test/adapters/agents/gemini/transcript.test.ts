import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTranscriptCheck } from '../../../../src/adapters/agents/gemini/transcript.ts';
import { recording } from './recordings.ts';

const OWN = '7933541c-fe59-42f0-a4ae-4277f31ca7b5';
const SIBLING = '7933541c-0000-42f0-a4ae-4277f31ca7b5';

describe('a transcript', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-'));
    path = join(folder, 'session-2026-11-15T07-48-7933541c.jsonl');
    writeFileSync(path, recording('transcript.jsonl'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is known by the conversation that its head names', () => {
    expect(createTranscriptCheck()(path, OWN)).toEqual({ state: 'own' });
  });

  test('S23: of a sibling, or of another name, is not taken for it', () => {
    const check = createTranscriptCheck();
    expect(check(path, SIBLING)).toEqual({ state: 'foreign' });
    expect(check(path, '99999999-fe59-42f0-a4ae-4277f31ca7b5')).toEqual({ state: 'foreign' });
    const other = join(folder, 'notes-7933541c.jsonl');
    writeFileSync(other, recording('transcript.jsonl'));
    expect(check(other, OWN)).toEqual({ state: 'foreign' });
  });

  test('S23: that was replaced is read again', () => {
    const check = createTranscriptCheck();
    expect(check(path, OWN)).toEqual({ state: 'own' });
    rmSync(path);
    expect(check(path, OWN)).toEqual({ state: 'absent' });
    writeFileSync(path, `{"sessionId":"${SIBLING}"}\n`);
    expect(check(path, OWN)).toEqual({ state: 'foreign' });
  });

  test('S57: that is empty, garbled, huge, a folder or a pipe fails and never waits', () => {
    const check = createTranscriptCheck();
    for (const text of ['', '{"sessionId":', 'null\n', '[]\n', `${'x'.repeat(10_000_000)}`, '\xff\xfe\n']) {
      rmSync(path);
      writeFileSync(path, text);
      expect(check(path, OWN).state, text.slice(0, 20)).not.toBe('own');
    }
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(check(path, OWN).state).toBe('failed');
    rmSync(path);
    symlinkSync(folder, path);
    expect(check(path, OWN).state).toBe('failed');
  });
});
