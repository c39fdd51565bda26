import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookLogOptions } from '../../../src/adapters/spool/hook-log.ts';
import type { HookEvent } from '../../../src/core/agent/hook-memory.ts';
import { SpoolScene, speakPlainly } from './scene.ts';

let scene: SpoolScene;
beforeEach(() => {
  scene = new SpoolScene();
});
afterEach(() => scene.remove());

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const NOBODYS_TURN: HookLogOptions['lock'] = () => null;

describe('taking events in', () => {
  it('folds what the real script wrote, and knows who sent it', async () => {
    const env = { TMUX: '/tmp/a,b/default,77,0', TMUX_PANE: '%3', CLAUDE_PID: '123' };
    expect(
      await scene.send('claude', 'Stop', '{"conversation":"c","turn":"over","background":0}\n', env),
    ).toBe(0);
    const before = Date.now();
    const [memory, ...others] = scene.log().about('claude');
    expect(others).toEqual([]);
    expect(memory).toMatchObject({
      agentKind: 'claude',
      conversation: 'c',
      sender: {
        parentPid: process.pid,
        agentPid: 123,
        tmuxSocket: '/tmp/a,b/default',
        tmuxServerPid: 77,
        paneId: '%3',
      },
      turn: { value: 'over' },
      background: { value: 0 },
      last: { event: 'Stop' },
    });
    expect(Math.abs(before - (memory?.last.at ?? 0))).toBeLessThan(10_000);
    expect(scene.waiting()).toEqual([]);
  });

  it('folds in the order of the last write, finer than milliseconds, whatever the names', () => {
    const now = Date.now();
    const order = [5, 3, 9, 1, 7];
    for (const [index, number] of order.entries()) {
      const name = scene.put({
        name: `0${number}`,
        payload: { conversation: 'c', subagentStarted: `${index}` },
      });
      utimesSync(join(scene.folder, name), now / 1000, Math.floor(now / 1000) + index * 1e-4);
    }
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['0', '1', '2', '3', '4']);
  });

  it('takes events of one moment in the order of their names', () => {
    const at = Date.now();
    for (const name of ['3', '1', '2'])
      scene.put({ name, at, payload: { conversation: 'c', subagentStarted: name } });
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['1', '2', '3']);
  });

  it('keeps conversations and kinds of agents apart, newest first', () => {
    const now = Date.now();
    scene.put({ at: now - 3000, payload: { conversation: 'a', turn: 'running' } });
    scene.put({ at: now - 2000, payload: { conversation: 'b', turn: 'over' } });
    scene.put({ at: now - 1000, agent: 'codex', payload: { conversation: 'a', turn: 'over' } });
    const log = scene.log();
    expect(log.about('claude').map(({ conversation }) => conversation)).toEqual(['b', 'a']);
    expect(log.about('codex')).toMatchObject([
      { conversation: 'a', turn: { value: 'over', at: now - 1000 } },
    ]);
    scene.put({ at: now, payload: { conversation: 'a', waitingFor: 'permission' } });
    expect(log.about('claude')).toMatchObject([
      { conversation: 'a', turn: { value: 'running' }, waitingFor: { value: 'permission' } },
      { conversation: 'b' },
    ]);
  });

  it('sees a file that came in the same tick of the clock as the last one', () => {
    const log = scene.log();
    const { atime, mtime } = statSync(scene.folder);
    expect(log.about('claude')).toEqual([]);
    utimesSync(scene.folder, atime, mtime);
    log.about('claude');
    scene.put({ payload: { conversation: 'c' } });
    utimesSync(scene.folder, atime, mtime);
    expect(log.about('claude').length).toBe(1);
  });

  it('keeps events without a conversation by who sent them', () => {
    scene.put({ header: ['TMUX_PANE=%1'], payload: { turn: 'running' } });
    scene.put({ header: ['TMUX_PANE=%2'], payload: { turn: 'over' } });
    scene.put({ header: ['TMUX_PANE=%1'], payload: { waitingFor: 'question' } });
    const byPane = scene.log().about('claude');
    expect(byPane.map(({ sender }) => sender.paneId).sort()).toEqual(['%1', '%2']);
    expect(byPane.find(({ sender }) => sender.paneId === '%1')).toMatchObject({
      conversation: null,
      turn: { value: 'running' },
      waitingFor: { value: 'question' },
    });
  });

  it('believes the environment only of the agent that sets it', () => {
    const header = [
      'CLAUDE_PID=5',
      'CLAUDE_CODE_SESSION_ID=outer',
      'GEMINI_SESSION_ID=g',
      'CODEX_THREAD_ID=t',
    ];
    scene.put({ agent: 'claude', header });
    scene.put({ agent: 'codex', header, payload: { turn: 'running' } });
    const log = scene.log();
    expect(log.about('claude')).toMatchObject([{ conversation: 'outer', sender: { agentPid: 5 } }]);
    expect(log.about('codex')).toMatchObject([{ conversation: null, sender: { parentPid: 1 } }]);
    expect(log.about('codex')[0]?.sender).not.toHaveProperty('agentPid');
  });

  it('hands the payload to the adapter as it came', () => {
    const events: HookEvent[] = [];
    const at = Date.now() - 1234;
    scene.put({ at, event: 'PreToolUse', payload: { tool: { name: 'ü' } } });
    scene.put({ at, event: 'Text', payload: 'no json' });
    scene.put({ at, event: 'List', payload: '[1]' });
    const translate = () => (event: HookEvent) => {
      events.push(event);
      return null;
    };
    expect(scene.log({ translate }).about('claude')).toEqual([]);
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      ['PreToolUse', { tool: { name: 'ü' } }],
      ['Text', null],
      ['List', null],
    ]);
    expect(events[0]).toMatchObject({ agentKind: 'claude', at, sender: { parentPid: 1 } });
  });

  it('drops and counts unknown agents, events that say nothing, and translations that fail', () => {
    scene.put({ agent: 'stranger' });
    scene.put({ agent: '__proto__' });
    scene.put({ event: 'Nothing' });
    scene.put({ agent: 'codex' });
    const translate: HookLogOptions['translate'] = (kind) => {
      if (kind === 'claude') return speakPlainly;
      if (kind !== 'codex') return undefined;
      return () => {
        throw new Error('broken');
      };
    };
    const log = scene.log({ translate });
    expect(log.about('claude')).toEqual([]);
    expect(log.dropped()).toEqual({ unknownAgent: 2, saysNothing: 2, garbage: 0, unfinished: 0 });
    expect(log.problem()).toContain('unknown agent stranger');
    expect(log.problem()).toBeNull();
    expect(scene.waiting()).toEqual([]);
  });

  it('S37: what an earlier run of the conversation said is over when it starts again', () => {
    const at = Date.now() - 5000;
    scene.put({ at, payload: { conversation: 'c', turn: 'running', subagentStarted: 's' } });
    scene.put({ at: at + 1000, event: 'SessionStart', payload: { conversation: 'c', isStart: true } });
    const [memory] = scene.log().about('claude');
    expect(memory).toMatchObject({ last: { event: 'SessionStart' }, subagents: [] });
    expect(memory).not.toHaveProperty('turn');
  });
});

describe('remembering', () => {
  it('keeps what it took in for the next command, for this user only', () => {
    scene.put({ payload: { conversation: 'c', turn: 'running', transcript: '/t' } });
    const first = scene.log().about('claude');
    expect(statSync(scene.memoryFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(scene.root).sort()).toEqual(['hook', 'spool', 'spool.json', 'spool.lock']);
    const log = scene.log();
    expect(log.about('claude')).toEqual(first);
    scene.put({ payload: { conversation: 'c', turn: 'over' } });
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'over' }, transcript: '/t' }]);
    expect(log.problem()).toBeNull();
  });

  it('S29: an event that was saved but not removed is not taken in again', () => {
    const at = Date.now() - 9000;
    const names = ['1', '2'].map((name, index) =>
      scene.put({ name, at: at + index, payload: { conversation: 'c', subagentStarted: name } }),
    );
    for (const name of names) linkSync(join(scene.folder, name), join(scene.root, name));
    const log = scene.log();
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2']);
    // As if it had been killed between the two: the very same files are there again.
    linkSync(join(scene.root, '1'), join(scene.folder, '1'));
    expect(scene.log({ lock: NOBODYS_TURN }).about('claude')[0]?.subagents).toEqual(['1', '2']);
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['1', '2']);
    expect(scene.waiting()).toEqual([]);
  });

  it('takes another event in although its file has the name of one before', () => {
    scene.put({ name: '1', payload: { conversation: 'c', turn: 'running' }, at: Date.now() - 5000 });
    const log = scene.log();
    log.about('claude');
    scene.put({ name: '1', payload: { conversation: 'c', turn: 'over' } });
    expect(scene.log().about('claude')).toMatchObject([{ turn: { value: 'over' } }]);
  });

  it('forgets what was not heard of for a week, also while nothing comes', () => {
    const now = Date.now();
    scene.put({ at: now - 8 * DAY_MS, payload: { conversation: 'old' } });
    scene.put({ at: now - 6 * DAY_MS, payload: { conversation: 'young' } });
    let time = now;
    const log = scene.log({ now: () => time });
    const conversations = () => log.about('claude').map(({ conversation }) => conversation);
    expect(conversations()).toEqual(['young']);
    expect(scene.saved().memories.length).toBe(1);
    scene.rest();
    expect(conversations()).toEqual(['young']);
    time += 2 * DAY_MS;
    expect(conversations()).toEqual([]);
    expect(scene.log({ now: () => now }).about('claude').length).toBe(1);
  });

  it('S37: events from the future survive, and those that come after them count', () => {
    const now = Date.now();
    scene.put({ at: now + 365 * DAY_MS, payload: { conversation: 'c', turn: 'running' } });
    const log = scene.log();
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'running' } }]);
    scene.put({ at: now, payload: { conversation: 'c', turn: 'over' } });
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'over', at: now } }]);
  });
});

describe('when it is not our turn to save', () => {
  it('answers the same, and leaves everything where it is', () => {
    const at = Date.now() - 9000;
    scene.put({ at, payload: { conversation: 'c', subagentStarted: '1' } });
    scene.log().about('claude');
    scene.put({ at: at + 1, payload: { conversation: 'c', subagentStarted: '2' } });
    const log = scene.log({ lock: NOBODYS_TURN });
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2']);
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2']);
    expect(scene.waiting().length).toBe(1);
    // Another one saves; this one begins from there.
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['1', '2']);
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2']);
    scene.put({ at: at + 2, payload: { conversation: 'c', subagentStarted: '3' } });
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2', '3']);
    expect(log.problem()).toBeNull();
  });

  it('saves nothing for fewer files than are worth it', () => {
    const log = scene.log({ leastToSave: 3 });
    for (const id of ['1', '2', '3']) {
      scene.put({ payload: { conversation: 'c', subagentStarted: id } });
      expect(log.about('claude')[0]?.subagents.length).toBe(Number(id));
      expect(existsSync(scene.memoryFile)).toBe(id === '3');
    }
    expect(scene.waiting()).toEqual([]);
  });

  it('says that it cannot lock, and answers all the same', () => {
    scene.put({ payload: { conversation: 'c', turn: 'running' } });
    const log = scene.log({
      lock: () => {
        throw new Error('no such module');
      },
    });
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'running' } }]);
    expect(log.problem()).toContain('no such module');
    expect(scene.waiting().length).toBe(1);
  });

  it('notices that another one saved while it read', () => {
    const at = Date.now() - 9000;
    for (const id of ['1', '2']) {
      scene.put({ at: at + Number(id), payload: { conversation: 'c', subagentStarted: id } });
    }
    let isFirst = true;
    const log = scene.log({
      lock: NOBODYS_TURN,
      translate: () => (event) => {
        // Takes both in, saves, removes them, and saves again when they are gone from its list.
        if (isFirst) {
          isFirst = false;
          const other = scene.log();
          other.about('claude');
          scene.put({ at: at + 3, payload: { conversation: 'c', subagentStarted: '3' } });
          other.about('claude');
        }
        return speakPlainly(event);
      },
    });
    expect(log.about('claude')[0]?.subagents).toEqual(['1', '2', '3']);
  });
});

describe('files that are not finished', () => {
  it('waits for the end of a file, although the folder does not change any more', () => {
    const name = scene.put({ payload: { conversation: 'c', turn: 'running' }, end: '' });
    const log = scene.log();
    scene.rest();
    expect(log.about('claude')).toEqual([]);
    writeFileSync(join(scene.folder, name), `\nend=${name}\n`, { flag: 'a' });
    expect(log.about('claude')).toMatchObject([{ turn: { value: 'running' } }]);
    expect(log.problem()).toBeNull();
  });

  it('removes half files and temporary files after an hour, and counts them', () => {
    const old = Date.now() - 2 * HOUR_MS;
    scene.put({ name: 'half', end: '\nend=ha', at: old });
    scene.put({ name: '.temporary', at: old });
    scene.put({ name: 'young-half', end: '', at: old + 1.5 * HOUR_MS });
    scene.put({ name: '.young', at: old + 1.5 * HOUR_MS });
    const log = scene.log();
    expect(log.about('claude')).toEqual([]);
    expect(scene.waiting().sort()).toEqual(['.young', 'young-half']);
    expect(log.dropped().unfinished).toBe(2);
    expect(log.problem()).toContain('never finished');
  });

  it('removes nothing when it is not its turn', () => {
    scene.put({ name: 'half', end: '', at: Date.now() - 2 * HOUR_MS });
    scene.put({ name: '.temporary', at: Date.now() - 2 * HOUR_MS });
    scene.log({ lock: NOBODYS_TURN }).about('claude');
    expect(scene.waiting().length).toBe(2);
  });
});

describe('without a spool', () => {
  it('says nothing, and has no problem with that', () => {
    rmSync(scene.folder, { recursive: true });
    const log = scene.log();
    expect(log.about('claude')).toEqual([]);
    expect(log.unheard()).toEqual([]);
    expect(log.problem()).toBeNull();
  });

  it('hears nobody any more where hooks were heard before', () => {
    scene.put({ payload: { conversation: 'c' } });
    const log = scene.log();
    expect(log.about('claude').length).toBe(1);
    expect(log.unheard()).toEqual([]);
    rmSync(scene.folder, { recursive: true });
    for (const one of [log, scene.log()]) {
      expect(one.about('claude')).toEqual([]);
      expect(one.unheard()).toMatchObject([{ text: expect.stringContaining('is gone'), of: 'anyone' }]);
      expect(one.problem()).toContain('spool is gone');
    }
    mkdirSync(scene.folder, { mode: 0o700 });
    expect(log.about('claude').length).toBe(1);
    expect(log.unheard()).toEqual([]);
  });
});
