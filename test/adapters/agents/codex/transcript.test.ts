import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTranscripts } from '../../../../src/adapters/agents/codex/transcript.ts';
import { fixture, temporaryFolder } from './fixtures.ts';

const folder = temporaryFolder();
const write = (text: string | Buffer, name = 'rollout.jsonl'): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const record = (type: string, at = '2026-11-15T08:00:00.000Z'): string =>
  `${JSON.stringify({ timestamp: at, ordinal: 1, type: 'event_msg', payload: { type } })}\n`;
const AT = Date.parse('2026-11-15T08:00:00.000Z');

describe('a recorded transcript', () => {
  test.each([
    ['rollout-with-subagent.jsonl', 'over', 'task_complete'],
    ['rollout-subagent.jsonl', 'over', 'task_complete'],
    ['rollout-long.jsonl', 'over', 'task_complete'],
    ['rollout-interrupted.jsonl', 'over', 'turn_aborted'],
  ])('%s ends with its last turn %s', (name, turn, event) => {
    expect(createTranscripts().lastTurn(write(fixture(name)))).toMatchObject({ turn, event });
  });

  test('shows a running turn from its first record on, whatever follows', () => {
    const lines = fixture('rollout-with-subagent.jsonl').trimEnd().split('\n');
    const started = lines.findLastIndex((line) => line.includes('"task_started"'));
    const complete = lines.findLastIndex((line) => line.includes('"task_complete"'));
    for (let end = started + 1; end <= complete; end += 1) {
      const path = write(`${lines.slice(0, end).join('\n')}\n`);
      expect(createTranscripts().lastTurn(path)).toMatchObject({ turn: 'running', event: 'task_started' });
    }
    expect(lines.length).toBeGreaterThan(complete + 1);
  });

  test('tells whose it is', () => {
    const transcripts = createTranscripts();
    const parent = transcripts.owner(write(fixture('rollout-with-subagent.jsonl'), 'a'));
    const child = transcripts.owner(write(fixture('rollout-subagent.jsonl'), 'b'));
    expect(parent).toEqual({ id: '01a1de20-5dec-79c3-bc35-ecda71aa9e63', version: '0.166.0' });
    expect(child).toMatchObject({ parent: parent?.id });
  });
});

describe('S23: a transcript that', () => {
  test('grew is read again', () => {
    const transcripts = createTranscripts();
    const path = write(record('task_started'));
    expect(transcripts.lastTurn(path)).toEqual({
      ...{ turn: 'running', since: AT, beganAt: AT, event: 'task_started' },
    });
    appendFileSync(path, record('task_complete'));
    expect(transcripts.lastTurn(path)).toMatchObject({ turn: 'over' });
  });

  test('was replaced or truncated is read again', () => {
    const transcripts = createTranscripts();
    const path = write(record('task_complete') + record('task_complete'));
    expect(transcripts.lastTurn(path)).toMatchObject({ turn: 'over' });
    truncateSync(path, 0);
    expect(transcripts.lastTurn(path)).toBeNull();
    renameSync(write(record('task_started'), 'other'), path);
    expect(transcripts.lastTurn(path)).toMatchObject({ turn: 'running' });
    renameSync(write(fixture('rollout-with-subagent.jsonl'), 'other'), path);
    expect(transcripts.owner(path)?.id).toBe('01a1de20-5dec-79c3-bc35-ecda71aa9e63');
    renameSync(write(fixture('rollout-subagent.jsonl'), 'other'), path);
    expect(transcripts.owner(path)?.id).toBe('01a1de20-f6c5-7c23-b292-98ecf226701c');
  });

  test('is not there, or is no file, tells nothing', () => {
    const transcripts = createTranscripts();
    mkdirSync(join(folder.path, 'sub'));
    for (const path of [join(folder.path, 'none'), join(folder.path, 'sub')]) {
      expect(transcripts.lastTurn(path)).toBeNull();
      expect(transcripts.owner(path)).toBeNull();
    }
  });
});

describe('S57: a transcript with', () => {
  const HUGE = `${JSON.stringify({ type: 'response_item', payload: { text: 'x'.repeat(10_000_000) } })}\n`;

  test('a record of 10 MB is not believed beyond it', () => {
    const path = write(record('task_complete') + HUGE);
    expect(createTranscripts().lastTurn(path)).toBeNull();
    appendFileSync(path, record('task_started'));
    expect(createTranscripts().lastTurn(path)).toMatchObject({ turn: 'running' });
  });

  test('a record in the middle of a line is not believed where the reading begins there', () => {
    const inner = record('task_complete');
    const filler = `${'y'.repeat(64 * 1024 - inner.length - 1)}\n`;
    const path = write(`${record('task_started')}${'x'.repeat(1000)}${inner}${filler}`);
    expect(createTranscripts().lastTurn(path)).toMatchObject({ turn: 'running' });
  });

  test('half a record at its end is read up to it', () => {
    const path = write(record('task_started') + record('task_complete').slice(0, 60));
    expect(createTranscripts().lastTurn(path)).toMatchObject({ turn: 'running' });
  });

  test('garbage, quoted records or records of another type is read around', () => {
    const quoted = JSON.stringify({
      type: 'response_item',
      payload: { type: 'message', text: record('task_complete') },
    });
    const foreign = JSON.stringify({ type: 'response_item', payload: { type: 'task_complete' } });
    const path = write(
      Buffer.concat([
        Buffer.from(record('task_started')),
        Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from(`${quoted}\n${foreign}\n[]\nnull\n"type":"task_complete"\n`),
      ]),
    );
    expect(createTranscripts().lastTurn(path)).toMatchObject({ turn: 'running' });
    expect(createTranscripts().owner(path)).toBeNull();
  });

  test('no time in its record takes that of the file', () => {
    const turn = createTranscripts().lastTurn(write(record('task_started', 'never')));
    expect(Math.abs((turn?.since ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});
