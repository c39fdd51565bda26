import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opencodePlugin } from '../../../src/adapters/hook-config/opencode-plugin.ts';
import { readEvent } from '../../../src/adapters/spool/read-event.ts';

type Hooks = Record<string, (input?: unknown) => Promise<unknown>>;

const EVENTS = [
  'session.created',
  'session.status',
  'permission.asked',
  'chat.message',
  'tool.execute.before',
  'dispose',
];

let folder: string;
let spool: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-plugin-'));
  spool = join(folder, `spo'ol "x"`);
  mkdirSync(spool, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(): Promise<Hooks> {
  const file = join(folder, 'rollcall.mjs');
  const events = { claude: [], codex: [], gemini: [], opencode: EVENTS };
  const gate = { folder: join(folder, 'gate'), node: '/nowhere/node', program: '/nowhere/rollcall.cjs' };
  writeFileSync(file, opencodePlugin({ spoolFolder: spool, events, gate }));
  const made = (await import(pathToFileURL(file).href)) as Record<string, () => Promise<Hooks>>;
  const [plugin] = Object.values(made);
  if (plugin === undefined) throw new Error('no plugin');
  return plugin();
}

function told() {
  return readdirSync(spool)
    .toSorted()
    .map((name) => {
      const { mtimeNs: modifiedNs, size } = statSync(join(spool, name), { bigint: true });
      const event = readEvent(spool, { name, modifiedNs, size }, process.getuid?.() ?? 0);
      if (event.state !== 'event') throw new Error(event.state);
      return event;
    });
}

describe('the plugin for opencode', () => {
  it('is loaded without any package, and leaves files that the spool understands', async () => {
    const hooks = await load();
    await hooks.event?.({
      event: { type: 'session.status', properties: { sessionID: 'ses_1', status: { type: 'busy' } } },
    });
    await hooks['tool.execute.before']?.({
      tool: 'bash',
      sessionID: 'ses_1',
      callID: 'c',
      args: { command: 'secret' },
    });
    await hooks.dispose?.();
    expect(told()).toMatchObject([
      {
        agentKind: 'opencode',
        event: 'session.status',
        isWhole: true,
        sender: { parentPid: process.pid, agentPid: process.pid },
        payload: { type: 'session.status', properties: { sessionID: 'ses_1', status: { type: 'busy' } } },
      },
      { event: 'tool.execute.before', payload: { sessionID: 'ses_1', tool: 'bash', callID: 'c' } },
      { event: 'dispose', payload: {} },
    ]);
    for (const name of readdirSync(spool)) expect(statSync(join(spool, name)).mode & 0o777).toBe(0o600);
  });

  it('tells who asks, never what was said or would be done', async () => {
    const hooks = await load();
    const properties = {
      id: 'per_1',
      sessionID: 's',
      permission: 'bash',
      patterns: ['secret'],
      metadata: { command: 'secret' },
    };
    await hooks.event?.({ event: { type: 'permission.asked', properties } });
    await hooks.event?.({
      event: { type: 'session.created', properties: { info: { id: 's', parentID: 'p', title: 'secret' } } },
    });
    await hooks['chat.message']?.({ sessionID: 's', parts: ['secret'] });
    const texts = readdirSync(spool).map((name) => readFileSync(join(spool, name), 'utf8'));
    expect(texts).toHaveLength(3);
    expect(texts.join('')).not.toContain('secret');
    expect(texts.join('')).toContain('"parentID":"p"');
  });

  it('tells only the events that are wanted', async () => {
    const hooks = await load();
    await hooks.event?.({ event: { type: 'message.part.updated', properties: { sessionID: 's' } } });
    expect(hooks['tool.execute.after']).toBeUndefined();
    expect(readdirSync(spool)).toEqual([]);
  });

  it('never throws: without a spool, and whatever it is handed', async () => {
    rmSync(spool, { recursive: true });
    const hooks = await load();
    const circle: Record<string, unknown> = { type: 'session.status' };
    circle.properties = { sessionID: circle };
    for (const input of [undefined, null, 5, {}, { event: null }, { event: circle }]) {
      for (const hook of Object.values(hooks)) await hook(input);
    }
  });
});
