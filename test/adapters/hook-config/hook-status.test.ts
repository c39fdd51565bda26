import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCodexConfig } from '../../../src/adapters/hook-config/codex-review.ts';
import type { HookAgent, HookStatus } from '../../../src/ports/hook-config.ts';
import { HookRoom } from './hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const status = (agent: HookAgent, parts = {}): HookStatus => {
  const [found] = room.config(parts).status([agent]);
  if (found === undefined) throw new Error('no status');
  return found;
};

describe('the state of hooks', () => {
  it.each(['claude', 'codex', 'gemini', 'opencode'] as const)('of %s is told before and after', (agent) => {
    expect(status(agent)).toMatchObject({ state: 'not-installed', events: [], scope: 'user' });
    room.do('install', [agent]);
    expect(status(agent, { lastHeardAt: () => 5 })).toMatchObject({
      state: 'installed',
      missing: [],
      lastHeardAt: 5,
    });
  });

  it('is told for the project too, where there is one', () => {
    room.do('install', ['claude'], 'project');
    expect(
      room
        .config()
        .status(['claude'])
        .map(({ scope, state }) => [scope, state]),
    ).toEqual([
      ['user', 'not-installed'],
      ['project', 'installed'],
    ]);
    expect(room.config({ cwd: room.home }).status(['claude'])).toHaveLength(1);
  });

  it('is partly when an event is missing', () => {
    room.do('install', ['claude']);
    const events = { claude: ['Stop', 'SessionEnd', 'StopFailure'], codex: [], gemini: [], opencode: [] };
    expect(status('claude', { events })).toMatchObject({ state: 'partly', missing: ['StopFailure'] });
  });

  it('is outdated with another script or plugin', () => {
    room.do('install', ['claude', 'opencode']);
    expect(status('claude', { script: '#!/bin/sh\n' }).state).toBe('outdated');
    expect(status('opencode', { spoolFolder: room.home }).state).toBe('outdated');
  });

  it('is installed where the user has chosen another limit of time', () => {
    room.do('install', ['claude']);
    room.write(room.claude, (room.read(room.claude) ?? '').replace('"timeout": 300', '"timeout": 301'));
    expect(status('claude').state).toBe('installed');
  });

  it('is outdated where an older rollcall left less time for the end of a turn', () => {
    for (const agent of ['claude', 'codex', 'gemini'] as const) {
      room.do('install', [agent]);
      expect(status(agent).state).toBe('installed');
      room.write(room[agent], (room.read(room[agent]) ?? '').replace('"timeout": 300', '"timeout": 10'));
      expect(status(agent).state).toBe('outdated');
    }
  });

  it('is outdated where Gemini runs another hook behind ours', () => {
    room.do('install', ['gemini']);
    const settings = JSON.parse(room.read(room.gemini) ?? '');
    settings.hooks.AfterAgent.push({ hooks: [{ type: 'command', command: 'mine' }] });
    room.write(room.gemini, JSON.stringify(settings));
    expect(status('gemini').state).toBe('outdated');
  });

  it('is the same with a script and a plugin of another Node, as long as that is there', () => {
    const old = room.write(join(room.home, 'old/node'), '');
    const program = room.write(join(room.home, 'old/rollcall.cjs'), '');
    const scriptWith = (node: string) => `#!/bin/sh\nnode='${node}'\nprogram='${program}'\n`;
    const gate = { folder: room.gate, program };
    room.do('install', ['claude', 'opencode'], 'user', {
      script: scriptWith(old),
      gate: { ...gate, node: old },
    });
    const now = { script: scriptWith(process.execPath), gate: { ...gate, node: process.execPath } };
    expect(status('claude', now).state).toBe('installed');
    expect(status('opencode', now).state).toBe('installed');
    rmSync(old);
    expect(status('claude', now).state).toBe('outdated');
    expect(status('opencode', now).state).toBe('outdated');
  });

  it('names a script that is missing or cannot be run', () => {
    room.do('install', ['claude']);
    chmodSync(room.script, 0o644);
    expect(status('claude')).toMatchObject({
      state: 'script-missing',
      notes: [expect.stringContaining(room.script)],
    });
    rmSync(room.script);
    expect(status('claude').state).toBe('script-missing');
  });

  it('says when the folder that events go to is gone, and an installation mends that', () => {
    room.do('install', ['claude']);
    rmSync(room.spool, { recursive: true });
    expect(status('claude')).toMatchObject({
      state: 'outdated',
      notes: [expect.stringContaining(room.spool)],
    });
    room.do('install', ['claude']);
    expect(status('claude').state).toBe('installed');
    rmSync(room.gate, { recursive: true });
    expect(status('claude')).toMatchObject({
      state: 'outdated',
      notes: [expect.stringContaining(room.gate)],
    });
    room.do('install', ['claude']);
    expect(status('claude').state).toBe('installed');
  });

  it('is unreadable when the settings are', () => {
    room.write(room.claude, '{');
    expect(status('claude')).toMatchObject({
      state: 'unreadable',
      notes: [expect.stringContaining('line 1')],
    });
  });

  it.each([
    ['claude', '{"disableAllHooks":true}'],
    ['gemini', '{"hooksConfig":{"enabled":false}}'],
    ['gemini', '{"hooksConfig":{"disabled":["rollcall"]}}'],
  ] as const)('knows when %s runs no hooks: %s', (agent, text) => {
    room.write(room[agent], '{}');
    room.do('install', [agent]);
    expect(status(agent).isSwitchedOff).toBe(false);
    room.do('remove', [agent]);
    room.write(room[agent], text);
    room.do('install', [agent]);
    expect(status(agent).isSwitchedOff).toBe(true);
  });
});

describe('the review of Codex', () => {
  const config = () => join(room.home, '.codex/config.toml');
  // The form was found by matching digests that Codex 0.166.0 wrote.
  const digest = (event: string, name: string, timeout: number) => {
    const command = `'${room.script}' codex ${event}`;
    const identity = { event_name: name, hooks: [{ async: false, command, timeout, type: 'command' }] };
    return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
  };
  const entry = (name: string, hash: string, index = 0) =>
    `[hooks.state."${room.codex}:${name}:${index}:0"]\ntrusted_hash = "${hash}"\n\n`;

  it('is on record once the user has given it, in this very form', () => {
    room.do('install', ['codex']);
    expect(status('codex').review).toBe('unreviewed');
    const stop = entry('stop', digest('Stop', 'stop', 300));
    room.write(config(), stop);
    expect(status('codex').review).toBe('unreviewed');
    room.write(config(), stop + entry('interrupt', digest('Interrupt', 'interrupt', 3)));
    expect(status('codex').review).toBe('reviewed');
    room.write(config(), stop + entry('interrupt', 'sha256:00'));
    expect(status('codex').review).toBe('changed');
  });

  it('counts at the place where our entry stands', () => {
    room.write(room.codex, '{"hooks":{"Stop":[{"hooks":[]}]}}');
    room.do('install', ['codex']);
    room.write(
      config(),
      entry('stop', digest('Stop', 'stop', 300)) + entry('interrupt', digest('Interrupt', 'interrupt', 3)),
    );
    expect(status('codex').review).toBe('unreviewed');
    room.write(
      config(),
      entry('stop', digest('Stop', 'stop', 300), 1) + entry('interrupt', digest('Interrupt', 'interrupt', 3)),
    );
    expect(status('codex').review).toBe('reviewed');
  });

  it('is read from what Codex writes, and from nothing else', () => {
    const toml = `[hooks.state]\n[hooks.state."a\\"b:stop:0:0"]\r\ntrusted_hash = "x"\nenabled = false\n[other]\ntrusted_hash = "y"\n`;
    expect([...readCodexConfig(toml).reviewed]).toEqual([['a"b:stop:0:0', { hash: 'x', isOn: false }]]);
    expect(readCodexConfig(toml)).toMatchObject({ hasHooks: false, isOff: false });
    expect(readCodexConfig('[[hooks.Stop]]').hasHooks).toBe(true);
    expect(readCodexConfig('[hooks]').hasHooks).toBe(true);
    expect(readCodexConfig('[features]\nhooks = false').isOff).toBe(true);
    expect(readCodexConfig('[other]\nhooks = false').isOff).toBe(false);
  });
});
