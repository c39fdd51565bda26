import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backgroundOf, opencodeAgent } from '../../../../src/adapters/agents/opencode/opencode-agent.ts';
import { versionOf } from '../../../../src/adapters/agents/opencode/version.ts';
import { fuse } from '../../../../src/core/agent/fuse.ts';
import type { AgentProcess, AgentReading, AgentScene } from '../../../../src/ports/agent.ts';
import type { DatabaseFile } from './database-file.ts';
import { createDatabaseFile } from './database-file.ts';
import {
  memoryOf,
  NOW,
  opencodeProcess,
  processOf,
  removeFolder,
  SESSION,
  STARTED_AT,
  sceneOf,
} from './scene.ts';

const listen = async (scene: AgentScene): Promise<AgentReading> => {
  const reading = await opencodeAgent().listen?.(scene);
  if (!reading) throw new Error('it does not listen');
  return reading;
};
const codes = ({ gaps }: AgentReading) => gaps.map(({ code }) => code);

describe('an opencode', () => {
  let file: DatabaseFile;
  let agent: AgentProcess;

  beforeEach(() => {
    file = createDatabaseFile();
    const env = { HOME: '/home/dev', XDG_DATA_HOME: file.folder };
    agent = opencodeProcess({ pid: 2 ** 30, argv: ['opencode', '-s', SESSION], env: () => env });
    file.session({ id: SESSION });
    file.message(SESSION, {
      role: 'assistant',
      at: STARTED_AT + 1000,
      completed: STARTED_AT + 2000,
      finish: 'stop',
    });
  });

  afterEach(() => {
    file.writer.close();
    removeFolder(file.folder);
  });

  it('is heard through its database, with the words that bring it back', async () => {
    const reading = await listen(sceneOf({ agent, title: 'OC | Fake title' }));
    expect(reading).toMatchObject({
      conversation: SESSION,
      resume: ['opencode', '-s', SESSION],
      transcript: file.path,
      failures: [],
      signs: [{ source: 'transcript', turn: 'over', background: 0, isVerified: false }],
    });
    expect(codes(reading)).toEqual(['status-missing', 'hooks-silent', 'version-unverified']);
  });

  it('S30: a younger event of its plugin beats the database', async () => {
    const turn = { value: 'running', at: NOW - 100 } as const;
    const hooks = [
      memoryOf({ sender: { parentPid: 1, agentPid: agent.pid }, turn, last: { event: 'x', at: NOW } }),
    ];
    const reading = await listen(sceneOf({ agent, hooks }));
    const [first, ...others] = reading.signs;
    expect(first && fuse([first, ...others], NOW).says).toBe('working');
    expect(codes(reading)).not.toContain('hooks-silent');
  });

  it('S12: what it left running is told with every sign', async () => {
    const { signs } = await listen(sceneOf({ agent, others: () => [processOf()] }));
    expect(signs).toMatchObject([{ background: 1 }]);
  });

  it('S32: a status that does not answer is a failure, not rest', async () => {
    const asked = { ...agent, argv: ['opencode', '--port', '1'] };
    const { failures, signs } = await listen(sceneOf({ agent: asked }));
    expect(failures).toMatchObject([{ source: 'agent' }]);
    expect(signs.map(({ source }) => source)).toEqual(['transcript']);
  });

  it('S36: a damaged database is a failure, not rest', async () => {
    file.run('DROP TABLE part');
    const { failures, signs, mayBeIn } = await listen(sceneOf({ agent }));
    expect(failures).toMatchObject([{ source: 'transcript' }]);
    expect(signs).toEqual([]);
    expect(mayBeIn).toBe('any');
  });

  it('S57: a damaged message is a failure, not rest', async () => {
    file.run(`INSERT INTO message VALUES ('z', '${SESSION}', ${NOW}, ${NOW}, 'nonsense')`);
    expect(await listen(sceneOf({ agent }))).toMatchObject({
      signs: [],
      failures: [{ source: 'transcript' }],
    });
  });

  it('S34: without its environment neither its database nor its background is known', async () => {
    const hooks = [memoryOf({ turn: { value: 'over', at: NOW - 9000 } })];
    const reading = await listen(sceneOf({ agent: opencodeProcess({ env: () => null }), hooks }));
    expect(reading.signs).toHaveLength(1);
    expect(reading.signs[0]).not.toHaveProperty('background');
    expect(codes(reading)).toContain('environment-unreadable');
  });

  it('that keeps everything in memory has no transcript', async () => {
    const memory = { ...agent, env: () => ({ OPENCODE_DB: ':memory:' }) };
    const reading = await listen(sceneOf({ agent: memory, title: 'OC | Fake title' }));
    expect(codes(reading)).toEqual(expect.arrayContaining(['transcript-off', 'conversation-unknown']));
    expect(reading).not.toHaveProperty('transcript');
  });

  it('S11: that is attached to a server elsewhere proves nothing', async () => {
    const attached = { ...agent, argv: ['opencode', 'attach', 'http://127.0.0.1:4096'] };
    expect(await listen(sceneOf({ agent: attached }))).toMatchObject({
      signs: [],
      gaps: [{ code: 'status-missing' }],
    });
  });
});

describe('what it left running', () => {
  it.each<[string, Parameters<typeof sceneOf>[0], number | undefined]>([
    ['S21: a shell that left the tree', { others: () => [processOf()] }, 1],
    [
      'S27: servers below it are not counted',
      { others: () => [processOf({ relation: 'background', parentPid: 200 })] },
      0,
    ],
    [
      'S29: what ran before it began is not its own',
      { others: () => [processOf({ startedAt: STARTED_AT - 1 })] },
      0,
    ],
    ['nothing', {}, 0],
    ['S34: marks that cannot be read', { agent: opencodeProcess({ env: () => null }) }, undefined],
  ])('%s', (_, fields, expected) => expect(backgroundOf(sceneOf(fields))).toBe(expected));
});

describe('its version', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-opencode-'));
    mkdirSync(join(folder, 'bin'));
  });

  afterEach(() => removeFolder(folder));

  const install = (text: string, modifiedAt = STARTED_AT - 1000) => {
    const path = join(folder, 'package.json');
    writeFileSync(path, text);
    utimesSync(path, modifiedAt / 1000, modifiedAt / 1000);
  };
  const version = () => versionOf(opencodeProcess({ pid: 2 ** 30, argv: [join(folder, 'bin', 'opencode')] }));

  it('is that of the package around it', () => {
    install('{"name":"opencode-ai","version":"1.18.33"}');
    expect(version()).toBe('1.18.33');
  });

  it.each([
    ['another package', '{"name":"my-app","version":"1.18.33"}'],
    ['no JSON', '{"name":"opencode-ai"'],
    ['no object', 'null'],
    ['no text', '{"name":"opencode-ai","version":1}'],
  ])('S57: is not known from %s', (_, text) => {
    install(text);
    expect(version()).toBeUndefined();
  });

  it('S23: is not that of a package that was installed over the running one', () => {
    install('{"name":"opencode-ai","version":"1.18.34"}', STARTED_AT + 1000);
    expect(version()).toBeUndefined();
  });
});
