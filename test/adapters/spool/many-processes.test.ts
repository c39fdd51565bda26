import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HookMemory } from '../../../src/core/agent/hook-memory.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';
import { until } from '../../support/until.ts';
import { prepareSpool } from './own-process.ts';
import { SpoolScene } from './scene.ts';

let scene: SpoolScene;
let ownProcess: OwnProcess;
beforeAll(async () => {
  ownProcess = await prepareSpool();
});
afterAll(() => ownProcess.remove());
beforeEach(() => {
  scene = new SpoolScene();
});
afterEach(() => scene.remove());

const WRITERS = 8;
const EVENTS = 200;
/** A memory keeps the last hundred subagents: each conversation has fewer, so that every event can be told from it. */
const EACH = 50;

/** An event that is taken in twice moves to the end of the list; one that is lost is missing. */
const expected = [...Array(EACH).keys()].map((number) => `${number}`);
const told = (memories: readonly HookMemory[]) =>
  Object.fromEntries(memories.map(({ conversation, subagents }) => [conversation, subagents]));
const everything = Object.fromEntries(
  [...Array(WRITERS).keys()].flatMap((writer) =>
    [...Array(EVENTS / EACH).keys()].map((part) => [`${writer}-${part}`, expected]),
  ),
);

const exitOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.on('exit', resolve));
const halves = () => readdirSync(scene.root).filter((name) => /^spool\.json\..*tmp$/.test(name));

/** Calls the real script once for each event, one after the other. */
function startWriter(writer: number): Promise<number | null> {
  const loop = `n=0; while [ $n -lt ${EVENTS} ]; do
    printf '{"conversation":"${writer}-%d","subagentStarted":"%d"}' $((n / ${EACH})) $((n % ${EACH})) | "$0" claude Stop || exit 1
    n=$((n + 1)); done`;
  return exitOf(spawn('sh', ['-c', loop, scene.script], { stdio: ['ignore', 'inherit', 'inherit'] }));
}

const LOOK_ALL_THE_TIME = `
  for (;;) { log.about('claude'); await new Promise((resolve) => setTimeout(resolve, 1)); }`;

describe('8 writers of 200 events each', () => {
  it('S29: with two readers every event counts once, in the order of its writer, in each of their answers', async () => {
    const check = `
      const seen = new Map();
      const problems = new Set();
      while (!fs.existsSync(args[0] + '.stop')) {
        for (const { conversation, subagents } of log.about('claude')) {
          const inOrder = subagents.every((id, index) => id === String(index));
          const before = seen.get(conversation) ?? 0;
          if (!inOrder || subagents.length < before) problems.add(conversation + ' ' + subagents.join());
          seen.set(conversation, subagents.length);
        }
        const problem = log.problem();
        if (problem !== null && !/older one|still wait/.test(problem)) problems.add(problem);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      log.about('claude');
      fs.writeFileSync(args[0] + '.' + args[1], JSON.stringify([...problems]));`;
    const readers = ['a', 'b'].map((name) => exitOf(ownProcess.start(check, scene.folder, name)));
    expect(await Promise.all([...Array(WRITERS).keys()].map(startWriter))).toEqual(Array(WRITERS).fill(0));
    writeFileSync(`${scene.folder}.stop`, '');
    expect(await Promise.all(readers)).toEqual([0, 0]);
    expect(told(scene.workedOff())).toEqual(everything);
    expect(scene.waiting()).toEqual([]);
    for (const name of ['a', 'b']) {
      expect(JSON.parse(readFileSync(`${scene.folder}.${name}`, 'utf8'))).toEqual([]);
    }
  });

  it('S29: readers that are killed at any moment lose nothing and count nothing twice', async () => {
    let isDone = false;
    const writers = Promise.all([...Array(WRITERS).keys()].map(startWriter)).finally(() => {
      isDone = true;
    });
    let kills = 0;
    while (!isDone) {
      const reader = ownProcess.start(LOOK_ALL_THE_TIME, scene.folder);
      const ended = exitOf(reader);
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 250));
      reader.kill('SIGKILL');
      await ended;
      kills += 1;
    }
    expect(await writers).toEqual(Array(WRITERS).fill(0));
    expect(kills).toBeGreaterThan(3);
    expect(told(scene.workedOff())).toEqual(everything);
    expect(scene.waiting()).toEqual([]);
    expect(halves().length).toBeLessThanOrEqual(kills);
  });
});

describe('a reader that dies at the worst moment', () => {
  const put = (...ids: number[]) => {
    for (const id of ids) {
      scene.put({ at: Date.now() - 9000 + id, payload: { conversation: 'c', subagentStarted: `${id}` } });
    }
  };
  const dyingAt = (name: string, condition: string) => `
    const real = fs.${name};
    fs.${name} = (...words) => {
      if (${condition}) { process.kill(process.pid, 'SIGKILL'); for (;;); }
      return real(...words);
    };
    syncBuiltinESMExports();
    log.about('claude');`;

  it.each([
    ['before it saves', dyingAt('renameSync', 'true'), 3],
    ['between saving and removing', dyingAt('unlinkSync', 'true'), 3],
    ['while it removes', dyingAt('unlinkSync', "words[0].endsWith('2.1.1.1')"), 2],
  ])('S29: %s leaves everything to be taken in once', async (_, body, left) => {
    put(0, 1, 2);
    const child = ownProcess.start(body, scene.folder);
    await new Promise((resolve) =>
      child.on('exit', (_code, signal) => resolve(expect(signal).toBe('SIGKILL'))),
    );
    expect(scene.waiting().length).toBe(left);
    put(3);
    const log = scene.log();
    expect(log.about('claude')[0]?.subagents).toEqual(['0', '1', '2', '3']);
    expect(log.problem()).toBeNull();
    expect(scene.waiting()).toEqual([]);
  });

  it('S50: one that is stopped while it holds the lock keeps nobody from answering', async () => {
    put(0, 1);
    const stop = dyingAt('renameSync', 'true').replace('SIGKILL', 'SIGSTOP');
    const child = ownProcess.start(stop, scene.folder);
    try {
      await until('it holds the lock', () => halves().length > 0);
      const log = scene.log();
      expect(log.about('claude')[0]?.subagents).toEqual(['0', '1']);
      put(2);
      expect(log.about('claude')[0]?.subagents).toEqual(['0', '1', '2']);
      expect(scene.waiting().length).toBe(3);
    } finally {
      child.kill('SIGKILL');
      await exitOf(child);
    }
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['0', '1', '2']);
    expect(scene.waiting()).toEqual([]);
  });
});

describe('a disk that fails', () => {
  const LOOK_TWICE = `
    const look = () => ({ subagents: log.about('claude')[0]?.subagents, problem: log.problem(), left: fs.readdirSync(args[0]).length });
    const first = look();
    args[1] && fs.rmSync(args[1]);
    await new Promise((resolve) => setTimeout(resolve, args[1] ? 5100 : 0));
    console.log(JSON.stringify([first, look()]));`;
  const put = () => {
    for (const id of ['0', '1']) {
      scene.put({ at: Date.now() - 9000 + Number(id), payload: { conversation: 'c', subagentStarted: id } });
    }
  };

  it.runIf(hasPrivateMounts)(
    'S36: a full one loses nothing, answers, and is saved to when there is room again',
    () => {
      put();
      const state = join(scene.root, 'state');
      mkdirSync(state);
      const preparation = `mount -t tmpfs -o size=24k none '${state}'; cp -a '${scene.folder}' '${state}/spool'
      head -c 99999 /dev/zero > '${state}/fill' 2> /dev/null || :`;
      const outcome = ownProcess.run(
        PRIVATE_MOUNTS,
        preparation,
        LOOK_TWICE,
        `${state}/spool`,
        `${state}/fill`,
      );
      expect(outcome).toEqual([
        { subagents: ['0', '1'], problem: expect.stringContaining('ENOSPC'), left: 2 },
        { subagents: ['0', '1'], problem: null, left: 0 },
      ]);
    },
  );

  it('S36: a file that cannot be removed is not taken in twice, and that is said', () => {
    put();
    const failing = `
      fs.unlinkSync = () => { throw Object.assign(new Error('EPERM: no'), { code: 'EPERM' }); };
      syncBuiltinESMExports();
      ${LOOK_TWICE}`;
    expect(ownProcess.run([], '', failing, scene.folder)).toMatchObject([
      { subagents: ['0', '1'], problem: expect.stringContaining('EPERM'), left: 2 },
      { subagents: ['0', '1'], left: 2 },
    ]);
    expect(scene.log().about('claude')[0]?.subagents).toEqual(['0', '1']);
    expect(scene.waiting()).toEqual([]);
  });

  it('S36: files that vanish while they are read are nobody’s problem', () => {
    put();
    const vanishing = `
      const real = fs.openSync;
      fs.openSync = (...words) => { if (words[0].endsWith('1.1.1.1')) fs.rmSync(words[0], { force: true }); return real(...words); };
      syncBuiltinESMExports();
      ${LOOK_TWICE}`;
    expect(ownProcess.run([], '', vanishing, scene.folder)).toMatchObject([
      { subagents: ['1'], problem: null, left: 0 },
      { subagents: ['1'] },
    ]);
  });

  it('S36: a memory that cannot be read is not written over', () => {
    put();
    const failing = `
      fs.writeFileSync(args[0] + '.json', 'precious');
      const real = fs.openSync;
      fs.openSync = (...words) => {
        if (words[0].endsWith('.json')) throw Object.assign(new Error('EIO: bad disk'), { code: 'EIO' });
        return real(...words);
      };
      syncBuiltinESMExports();
      ${LOOK_TWICE}`;
    expect(ownProcess.run([], '', failing, scene.folder)).toMatchObject([
      { subagents: ['0', '1'], problem: expect.stringContaining('EIO'), left: 2 },
      { subagents: ['0', '1'], left: 2 },
    ]);
  });
});
