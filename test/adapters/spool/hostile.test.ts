import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookEvent } from '../../../src/core/agent/hook-memory.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';
import { SpoolScene } from './scene.ts';

let scene: SpoolScene;
beforeEach(() => {
  scene = new SpoolScene();
});
afterEach(() => scene.remove());

const isRoot = process.getuid?.() === 0;

describe('payloads', () => {
  const heardOf = (payload: string | Buffer): HookEvent['payload'] => {
    let heard: HookEvent['payload'] = null;
    scene.put({ payload });
    const translate = () => (event: HookEvent) => {
      heard = event.payload;
      return null;
    };
    scene.log({ translate }).about('claude');
    expect(scene.waiting()).toEqual([]);
    return heard;
  };

  it.each([
    ['nothing', ''],
    ['no JSON', 'rm -rf /'],
    ['a list', '[{"a":1}]'],
    ['a text', '"a"'],
    ['half a first member', '{"a":"b'],
    ['nested too deep', '['.repeat(100_000)],
    ['NUL bytes', Buffer.alloc(1000)],
    ['many quotes and backslashes', `{"a":"${'\\'.repeat(99_999)}`],
  ])('S57: %s is no payload', (_, payload) => {
    expect(heardOf(payload)).toBeNull();
  });

  it.each([
    [
      'half a line',
      '{"session_id":"s","n":{"a":[1,2],"b":3},"text":"x, {y',
      { session_id: 's', n: { a: [1, 2], b: 3 } },
    ],
    ['an escaped quote before the cut', '{"a":"\\",","b":"c', { a: '",' }],
    ['a cut right after a comma', '{"a":1,', { a: 1 }],
    ['a cut in a list', '{"a":1,"b":[1,2,{"c":3', { a: 1 }],
  ])('S57: of %s the members before the cut are kept', (_, payload, expected) => {
    expect(heardOf(payload)).toEqual(expected);
  });

  it('S57: of 10 MB the members at the beginning are kept, quickly', () => {
    const heard = () => heardOf(`{"session_id":"s","tool":"${'x'.repeat(10_000_000)}"}`);
    expect(heard()).toEqual({ session_id: 's' });
    expect(cpuSeconds(heard)).toBeLessThan(5);
  });

  it('S57: what is not UTF-8 still tells, and is not believed to be the whole', () => {
    const invalid = (turn: string) =>
      Buffer.concat([
        Buffer.from(`{"conversation":"c","turn":"${turn}","isStart":true,"text":"`),
        Buffer.from([0xff, 0xc3]),
        Buffer.from('"}'),
      ]);
    scene.put({ payload: invalid('running') });
    const log = scene.log();
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'running' } }]);
    scene.put({ payload: invalid('over') });
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'running' } }]);
  });

  it('S57: a payload that was cut never makes an agent less busy', () => {
    const cut = (members: string) => `{${members},"text":"cut off her`;
    const at = Date.now() - 9000;
    scene.put({
      at,
      payload: {
        conversation: 'c',
        turn: 'running',
        waitingFor: 'plan',
        background: 2,
        subagentStarted: 's',
      },
    });
    const log = scene.log();
    const [before] = log.about('claude');
    const idle =
      '"turn":"over","waitingFor":null,"background":0,"subagentEnded":"s","isEnd":true,"isStart":true';
    scene.put({ at: at + 1, payload: cut(`"conversation":"c",${idle},"transcript":"/t"`) });
    expect(log.about('claude')).toEqual([{ ...before, last: { event: 'Stop', at: at + 1 } }]);
    scene.put({ at: at + 2, payload: cut('"conversation":"c","waitingFor":"question","background":5') });
    expect(log.about('claude')).toMatchObject([
      { waitingFor: { value: 'question' }, background: { value: 5 } },
    ]);
    scene.put({ at: at + 3, payload: cut('"conversation":"c","turn":"running","isPrompt":true') });
    expect(log.about('claude')).toMatchObject([{ beganAt: at + 3 }]);
  });

  it('S57: ids and paths of any length are not remembered', () => {
    const long = 'x'.repeat(300);
    for (const payload of [
      { conversation: long },
      { conversation: 'c', subagentStarted: long },
      { conversation: 'c', transcript: `/${'x'.repeat(5000)}` },
    ]) {
      scene.put({ payload });
    }
    const log = scene.log();
    expect(log.about('claude')).toEqual([]);
    expect(log.dropped().saysNothing).toBe(3);
  });
});

describe('files', () => {
  it.each([
    ['another version', 'rollcall-hook=2\nagent=claude\nevent=Stop\nparent_pid=1\n\n{}'],
    ['no agent', 'rollcall-hook=1\nevent=Stop\nparent_pid=1\n\n{}'],
    ['an agent that is no word', 'rollcall-hook=1\nagent=../x\nevent=Stop\nparent_pid=1\n\n{}'],
    ['no parent', 'rollcall-hook=1\nagent=claude\nevent=Stop\nparent_pid=-1\n\n{}'],
    ['no empty line', 'rollcall-hook=1\nagent=claude\nevent=Stop\nparent_pid=1\n{}'],
    ['a header without end', 'x'.repeat(200_000)],
    ['bytes', Buffer.from([0, 255, 10, 10, 0])],
    ['nothing but its end', ''],
  ])('S57: %s is garbage, dropped and counted', (_, content) => {
    writeFileSync(join(scene.folder, '1'), Buffer.concat([Buffer.from(content), Buffer.from('\nend=1\n')]));
    const log = scene.log();
    expect(log.about('claude')).toEqual([]);
    expect(log.dropped().garbage).toBe(1);
    expect(log.problem()).toContain('no hook event');
    expect(scene.waiting()).toEqual([]);
  });

  it('S55: links, pipes, folders and files of others are left alone, and nothing waits for them', () => {
    const target = join(scene.root, '1');
    renameSync(join(scene.folder, scene.put({ name: '1', payload: { conversation: 'planted' } })), target);
    symlinkSync(target, join(scene.folder, '1'));
    execFileSync('mkfifo', [join(scene.folder, 'pipe')]);
    mkdirSync(join(scene.folder, 'folder'));
    if (isRoot) chownSync(join(scene.folder, scene.put({ name: '2' })), 12345, 12345);
    scene.put({ name: '3', payload: { conversation: 'real' } });
    const log = scene.log();
    expect(log.about('claude').map(({ conversation }) => conversation)).toEqual(['real']);
    expect(log.problem()).toContain('not written by a hook of this user');
    expect(scene.waiting().sort()).toEqual([...(isRoot ? ['1', '2'] : ['1']), 'folder', 'pipe']);
  });

  it('S57: a sparse file of a terabyte is read no further than any other', () => {
    const name = scene.put({ payload: '{"conversation":"c","turn":"running","text":"', end: '' });
    truncateSync(join(scene.folder, name), 1024 ** 4);
    writeFileSync(join(scene.folder, name), `\nend=${name}\n`, { flag: 'a' });
    expect(scene.log().about('claude')).toMatchObject([{ conversation: 'c', turn: { value: 'running' } }]);
    expect(scene.waiting()).toEqual([]);
  });
});

describe('the spool folder', () => {
  const refusal = () => {
    const log = scene.log();
    expect(log.about('claude')).toEqual([]);
    return log.problem();
  };
  beforeEach(() => {
    scene.put({ payload: { conversation: 'c' } });
  });

  it('S55: is refused when it is a link', () => {
    renameSync(scene.folder, `${scene.folder}-real`);
    symlinkSync(`${scene.folder}-real`, scene.folder);
    expect(refusal()).toContain('symbolic link');
  });

  it('S55: is refused when it is no folder', () => {
    rmSync(scene.folder, { recursive: true });
    writeFileSync(scene.folder, '');
    expect(refusal()).toContain('not a folder');
  });

  it.runIf(isRoot)('S55: is refused when it belongs to somebody else', () => {
    chownSync(scene.folder, 12345, 12345);
    expect(refusal()).toContain('belongs to user 12345');
  });

  it('S55: is refused when others can write to it', () => {
    chmodSync(scene.folder, 0o777);
    expect(refusal()).toContain('other users can write');
  });
});

describe('the memory file', () => {
  const once = () => {
    scene.put({ payload: { conversation: 'kept', turn: 'running' } });
    scene.log().about('claude');
  };

  it.each([
    ['half a file', (text: string) => text.slice(0, -20)],
    ['nothing', () => ''],
    ['another version', (text: string) => text.replace('"version":1', '"version":2')],
    ['a memory that is none', (text: string) => text.replace('"subagents":[]', '"subagents":[1]')],
    ['a turn that is none', (text: string) => text.replace('"running"', '"idle"')],
    ['a time that is none', (text: string) => text.replace('"subagents"', '"beganAt":"x","subagents"')],
    [
      'a list that is none',
      (text: string) => text.replace('"taken":[', '"taken":{"x":[').replace('],"mem', ']},"mem'),
    ],
  ])('S57: %s is put aside, said, and begun anew', (_, damage) => {
    once();
    const damaged = damage(readFileSync(scene.memoryFile, 'utf8'));
    writeFileSync(scene.memoryFile, damaged);
    scene.put({ payload: { conversation: 'new' } });
    const log = scene.log();
    expect(log.about('claude').map(({ conversation }) => conversation)).toEqual(['new']);
    expect(log.problem()).toContain('spool.json');
    expect(readFileSync(`${scene.memoryFile}.damaged`, 'utf8')).toBe(damaged);
    expect(scene.log().about('claude').length).toBe(1);
  });

  it('is left as it is by one that may not save', () => {
    once();
    writeFileSync(scene.memoryFile, '{');
    scene.put({ payload: { conversation: 'new' } });
    const log = scene.log({ lock: () => null });
    expect(log.about('claude').length).toBe(1);
    expect(log.about('claude').length).toBe(1);
    expect(readFileSync(scene.memoryFile, 'utf8')).toBe('{');
    expect(existsSync(`${scene.memoryFile}.damaged`)).toBe(false);
  });

  it('S55: a link in its place is put aside, not followed', () => {
    once();
    renameSync(scene.memoryFile, join(scene.root, 'elsewhere'));
    symlinkSync(join(scene.root, 'elsewhere'), scene.memoryFile);
    scene.put({ payload: { conversation: 'new' } });
    expect(
      scene
        .log()
        .about('claude')
        .map(({ conversation }) => conversation),
    ).toEqual(['new']);
    expect(readFileSync(join(scene.root, 'elsewhere'), 'utf8')).toContain('kept');
  });
});
