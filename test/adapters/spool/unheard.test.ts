import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookLogOptions } from '../../../src/adapters/spool/hook-log.ts';
import { createMemories } from '../../../src/adapters/spool/memories.ts';
import { SpoolScene } from './scene.ts';

let scene: SpoolScene;
beforeEach(() => {
  scene = new SpoolScene();
});
afterEach(() => scene.remove());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BUSY: HookLogOptions['lock'] = () => null;
const REST = { turn: 'over', waitingFor: null, background: 0 } as const;
const PROVEN = { turn: { value: 'over' }, waitingFor: { value: null }, background: { value: 0 } };
const rested = (at: number, conversation = 'c') => scene.put({ at, payload: { conversation, ...REST } });
const unheardBy = (log: ReturnType<SpoolScene['log']>) => {
  log.about('claude');
  return log.unheard();
};

describe('an event that is half written', () => {
  it('is missed from whoever its header names, until it is finished', () => {
    const header = ['CLAUDE_PID=5', 'CLAUDE_CODE_SESSION_ID=c', 'TMUX=/t,7,0', 'TMUX_PANE=%1'];
    const name = scene.put({ header, payload: '{"conversation":"c', end: '' });
    const log = scene.log();
    for (let look = 0; look < 2; look += 1) {
      expect(unheardBy(log)).toEqual([
        {
          text: 'its hook Stop has not finished its event',
          of: expect.objectContaining({
            ...{ agentKind: 'claude', conversation: 'c' },
            sender: { parentPid: 1, agentPid: 5, tmuxSocket: '/t', tmuxServerPid: 7, paneId: '%1' },
          }),
        },
      ]);
      scene.rest();
    }
    writeFileSync(join(scene.folder, name), `"}\nend=${name}\n`, { flag: 'a' });
    expect(unheardBy(log)).toEqual([]);
  });

  it.each(['', 'rollcall-hoo', 'rollcall-hook=1\nagent=cla'])(
    'may be anyone’s without its header: %j',
    (text) => {
      writeFileSync(join(scene.folder, '1'), text);
      expect(unheardBy(scene.log())).toMatchObject([{ of: 'anyone' }]);
    },
  );

  it('is nobody’s where no hook writes so, or no agent of that kind is known', () => {
    writeFileSync(join(scene.folder, 'notes.txt'), 'to do');
    scene.put({ agent: 'stranger', end: '' });
    expect(unheardBy(scene.log())).toEqual([]);
  });

  it('takes back what was proven before it, when it is given up', () => {
    const now = Date.now();
    rested(now - 3 * HOUR_MS, 'before');
    rested(now - HOUR_MS, 'after');
    rested(now - 3 * HOUR_MS, 'another');
    const header = ['CLAUDE_CODE_SESSION_ID=before'];
    scene.put({ header, end: '', at: now - 2 * HOUR_MS });
    for (const lock of [BUSY, undefined]) {
      const log = scene.log(lock && { lock });
      const byName = new Map(log.about('claude').map((memory) => [memory.conversation, memory]));
      expect(byName.get('before')).not.toHaveProperty('turn');
      expect(byName.get('before')).not.toHaveProperty('background');
      expect(byName.get('after')).toMatchObject(PROVEN);
      expect(log.unheard()).toEqual([]);
    }
    expect(scene.waiting()).toEqual([]);
    expect(
      scene
        .log()
        .about('claude')
        .find(({ conversation }) => conversation === 'before'),
    ).not.toHaveProperty('turn');
  });

  it('without a header takes back what anyone proved before it, and stays missed from who is silent', () => {
    const at = Date.now() - 5 * MINUTE_MS;
    rested(at - 1000, 'before');
    rested(at + 1000, 'after');
    writeFileSync(join(scene.folder, '0'), '');
    // In the middle of the millisecond: seconds as a floating-point number are not exact.
    utimesSync(join(scene.folder, '0'), (at + 0.5) / 1000, (at + 0.5) / 1000);
    for (let look = 0; look < 2; look += 1) {
      const log = scene.log();
      const [after, before] = log.about('claude');
      expect(after).toMatchObject(PROVEN);
      expect(before).not.toHaveProperty('background');
      expect(log.unheard()).toEqual([{ text: expect.stringContaining('lost'), of: { silentSince: at } }]);
    }
  });
});

describe('an event that tells less than it should', () => {
  it.each([
    ['cut off', { payload: '{"conversation":"c","turn":"over","background":0,"text":"cut' }],
    ['no JSON', { payload: 'nonsense', header: ['CLAUDE_CODE_SESSION_ID=c'] }],
    ['too long to be remembered', { payload: { conversation: 'c', subagentEnded: 'x'.repeat(300) } }],
    ['far ahead of now', { payload: { conversation: 'c', ...REST }, at: Date.now() + DAY_MS }],
  ])('%s: rest that was proven before is not proven any more', (_, put) => {
    rested(Date.now() - 9000);
    const log = scene.log();
    expect(log.about('claude')).toMatchObject([PROVEN]);
    scene.put({ event: put.payload === 'nonsense' ? 'Nothing' : 'Stop', ...put });
    const [memory] = log.about('claude');
    for (const fact of ['turn', 'waitingFor', 'background']) expect(memory).not.toHaveProperty(fact);
    scene.put({ payload: { conversation: 'c', ...REST } });
    expect(log.about('claude')).toMatchObject([PROVEN]);
  });

  it('garbage takes back what anyone proved before it', () => {
    rested(Date.now() - 9000);
    writeFileSync(join(scene.folder, '9'), 'rollcall-hook=1\nagent=\n\n{}\nend=9\n');
    const log = scene.log();
    expect(log.about('claude')[0]).not.toHaveProperty('turn');
    expect(log.unheard()).toMatchObject([{ of: { silentSince: expect.any(Number) } }]);
  });
});

describe('a memory that cannot be had', () => {
  const damaged = () => {
    rested(Date.now());
    scene.log().about('claude');
    writeFileSync(scene.memoryFile, '{');
  };

  it('damaged, is missed from who is silent since, although nothing else comes', () => {
    damaged();
    for (let look = 0; look < 2; look += 1) {
      expect(unheardBy(scene.log({ leastToSave: 100 }))).toMatchObject([
        { of: { silentSince: expect.any(Number) } },
      ]);
    }
    expect(existsSync(`${scene.memoryFile}.damaged`)).toBe(true);
  });

  it('damaged and not ours to mend now, nobody is heard', () => {
    damaged();
    const log = scene.log({ lock: BUSY });
    for (let look = 0; look < 2; look += 1) {
      expect(unheardBy(log)).toMatchObject([
        { text: expect.stringContaining('cannot be read'), of: 'anyone' },
      ]);
    }
  });

  it('no spool can be read: nobody is heard', () => {
    chmodSync(scene.folder, 0o777);
    const log = scene.log();
    expect(unheardBy(log)).toMatchObject([{ text: expect.stringContaining('other users'), of: 'anyone' }]);
    chmodSync(scene.folder, 0o700);
    expect(unheardBy(log)).toEqual([]);
  });
});

describe('what is forgotten', () => {
  const event = (at: number) => ({
    ...{ agentKind: 'claude', event: 'Stop', at, sender: { parentPid: 1 }, payload: null },
  });

  it('tells of work for longer than of rest, and is missed from who is silent when it goes', () => {
    const memories = createMemories();
    const at = 1000 * DAY_MS;
    memories.fold(event(at), { conversation: 'rests', ...REST });
    memories.fold(event(at), { conversation: 'timer', ...REST, background: 1 });
    memories.forget(at + 30 * DAY_MS);
    expect(memories.all().map(({ conversation }) => conversation)).toEqual(['timer']);
    expect(memories.lostAt()).toBe(0);
    memories.forget(at + 91 * DAY_MS);
    expect(memories.all()).toEqual([]);
    expect(memories.lostAt()).toBe(at);
  });

  it('above the most that are kept is missed only where it told of work', () => {
    const memories = createMemories();
    for (let index = 0; index < 5002; index += 1) {
      const turn = index === 0 ? 'running' : 'over';
      memories.fold(event(1_000_000 + index), { conversation: `${index}`, turn });
    }
    memories.forget(1_000_000);
    expect([memories.all().length, memories.lostAt()]).toEqual([5000, 1_000_000]);
  });
});
