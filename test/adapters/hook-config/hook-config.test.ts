import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookCommand, scriptOf } from '../../../src/core/agent/hook-command.ts';
import type { HookAgent } from '../../../src/ports/hook-config.ts';
import { HookRoom } from './hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const USER =
  '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [\n            {"hooks": [{"type": "command", "command": "say done"}]}\n        ]\n    }\n}\n';
const JSON_AGENTS = ['claude', 'codex', 'gemini'] as const;

const outcomes = (plan: { agents: readonly { outcome: string }[] }) =>
  plan.agents.map(({ outcome }) => outcome);
const events = (path: string) => Object.keys(JSON.parse(room.read(path) ?? '{}').hooks);

describe('an installation', () => {
  it('leaves what is the user’s as it was, and adds what the agent wants to read', () => {
    room.write(room.claude, USER);
    const { plan, applied } = room.do('install', ['claude']);
    expect({ outcomes: outcomes(plan), state: applied.state }).toEqual({
      outcomes: ['installed'],
      state: 'done',
    });
    const command = (event: string) => `'${room.script}' claude ${event}`;
    expect(JSON.parse(room.read(room.claude) ?? '')).toEqual({
      model: 'opus',
      hooks: {
        Stop: [
          { hooks: [{ type: 'command', command: 'say done' }] },
          { matcher: '', hooks: [{ type: 'command', command: command('Stop'), timeout: 300 }] },
        ],
        SessionEnd: [
          { matcher: '', hooks: [{ type: 'command', command: command('SessionEnd'), timeout: 1 }] },
        ],
      },
    });
    expect(room.read(room.script)).toBe('#!/bin/sh\nexit 0\n');
    expect(room.mode(room.script)).toBe(0o755);
    expect(room.mode(room.spool)).toBe(0o700);
  });

  it('gives Codex and Gemini the time limits and names that they take without complaint', () => {
    room.do('install', ['codex', 'gemini']);
    const codex = JSON.parse(room.read(room.codex) ?? '').hooks;
    expect(codex.Interrupt[0].hooks[0].timeout).toBe(3);
    expect(codex.Stop[0]).toEqual({ hooks: [expect.objectContaining({ timeout: 300 })] });
    const [group] = JSON.parse(room.read(room.gemini) ?? '').hooks.AfterAgent;
    expect(group).toMatchObject({ matcher: '*', hooks: [{ name: 'rollcall', timeout: 300_000 }] });
  });

  it('gives only the end of a turn the time that checks take', () => {
    const events = { claude: ['Stop', 'PostToolUse'], codex: ['Stop', 'PostToolUse'] };
    const gemini = ['AfterAgent', 'AfterTool'];
    room.do('install', [...JSON_AGENTS], 'user', { events: { ...events, gemini, opencode: [] } });
    const limit = (agent: 'claude' | 'codex' | 'gemini', event: string) =>
      JSON.parse(room.read(room[agent]) ?? '').hooks[event][0].hooks[0].timeout;
    expect([limit('claude', 'PostToolUse'), limit('claude', 'Stop')]).toEqual([10, 300]);
    expect([limit('codex', 'PostToolUse'), limit('codex', 'Stop')]).toEqual([10, 300]);
    expect([limit('gemini', 'AfterTool'), limit('gemini', 'AfterAgent')]).toEqual([10_000, 300_000]);
  });

  it('makes the folders of the gate, for nobody else', () => {
    room.do('install', ['claude']);
    expect([room.mode(room.gate), room.mode(join(room.gate, 'stops'))]).toEqual([0o700, 0o700]);
  });

  it('puts the end of a turn last, and moves it there where hooks run in order', () => {
    const mine = (event: string) =>
      `{"hooks":{"${event}":[{"hooks":[{"type":"command","command":"mine"}]}]}}`;
    for (const agent of JSON_AGENTS) {
      const event = agent === 'gemini' ? 'AfterAgent' : 'Stop';
      const commands = () =>
        JSON.parse(room.read(room[agent]) ?? '').hooks[event].map(
          ({ hooks }: { hooks: { command: string }[] }) => hooks[0]?.command.includes('hook.sh'),
        );
      room.write(room[agent], mine(event));
      room.do('install', [agent]);
      expect(commands()).toEqual([false, true]);
      const settings = JSON.parse(room.read(room[agent]) ?? '');
      settings.hooks[event].reverse();
      room.write(room[agent], JSON.stringify(settings));
      const isMoved = agent === 'gemini';
      expect(outcomes(room.do('install', [agent]).plan)).toEqual([isMoved ? 'updated' : 'already-installed']);
      expect(commands()).toEqual(isMoved ? [false, true] : [true, false]);
    }
  });

  it('S53: lets Gemini go on where the script is gone, and mends what an older version wrote', () => {
    room.do('install', ['gemini']);
    const commandsIn = (text: string): string[] =>
      Object.values<{ hooks: { command: string }[] }[]>(JSON.parse(text).hooks).flatMap((groups) =>
        groups.flatMap(({ hooks }) => hooks.map(({ command }) => command)),
      );
    const installed = room.read(room.gemini) ?? '';
    for (const command of commandsIn(installed)) {
      const gone = command.replaceAll('hook.sh', 'gone/hook.sh');
      expect([gone, spawnSync('bash', ['-c', gone]).status]).toEqual([gone, 0]);
    }
    room.write(room.gemini, installed.replaceAll(/\[ ! -x '[^']*' \] \|\| exec /g, ''));
    expect(room.read(room.gemini)).not.toBe(installed);
    expect(outcomes(room.do('install', ['gemini']).plan)).toEqual(['updated']);
    expect(commandsIn(room.read(room.gemini) ?? '')).toEqual(commandsIn(installed));
    room.do('remove', ['gemini']);
    expect(room.read(room.gemini) ?? '').not.toContain('hook.sh');
  });

  it('leaves every agent the parent of its hooks', () => {
    const script = join(room.home, "it's", 'rollcall', 'hook.sh');
    room.write(script, '#!/bin/sh\necho $PPID $*\n');
    chmodSync(script, 0o700);
    for (const agent of JSON_AGENTS) {
      const { stdout } = spawnSync('bash', ['-c', hookCommand(script, agent, 'Stop')], { encoding: 'utf8' });
      expect(stdout).toBe(`${process.pid} ${agent} Stop\n`);
      expect(scriptOf(hookCommand(script, agent, 'Stop'))).toBe(script);
    }
  });

  it('says what the gate may do', () => {
    for (const agent of [...JSON_AGENTS, 'opencode'] as const) {
      expect(room.do('install', [agent]).plan.agents[0]?.notes.join(' ')).toContain('stop gate');
    }
  });

  it('that comes a second time changes nothing and says so', () => {
    const all: HookAgent[] = [...JSON_AGENTS, 'opencode'];
    room.write(room.claude, USER);
    room.do('install', all);
    const files = [room.claude, room.codex, room.gemini, room.opencode, room.script];
    const before = files.map((path) => lstatSync(path).ino);
    const { plan, applied } = room.do('install', all);
    expect(plan.files).toEqual([]);
    expect(outcomes(plan)).toEqual(all.map(() => 'already-installed'));
    expect(applied.state).toBe('done');
    expect(files.map((path) => lstatSync(path).ino)).toEqual(before);
  });

  it('replaces what an older one left: another path, another limit, an event that is no longer wanted', () => {
    const old = (event: string, timeout: number) =>
      `{"matcher":"","hooks":[{"type":"command","command":"'/old/rollcall/hook.sh' claude ${event}","timeout":${timeout}}]}`;
    room.write(
      room.claude,
      `{"hooks":{"Stop":[${old('Stop', 10)},{"hooks":[]}],"PreToolUse":[${old('PreToolUse', 10)}]},"a":1}`,
    );
    expect(outcomes(room.do('install', ['claude']).plan)).toEqual(['updated']);
    expect(room.read(room.claude)).not.toContain('/old/');
    expect(events(room.claude)).toEqual(['Stop', 'SessionEnd']);
    room.do('remove', ['claude']);
    expect(room.read(room.claude)).toBe('{"hooks":{"Stop":[{"hooks":[]}]},"a":1}');
  });

  it('makes one of an entry that stands there twice', () => {
    room.do('install', ['claude']);
    const { hooks } = JSON.parse(room.read(room.claude) ?? '');
    room.write(room.claude, JSON.stringify({ hooks: { ...hooks, Stop: [...hooks.Stop, ...hooks.Stop] } }));
    expect(outcomes(room.do('install', ['claude']).plan)).toEqual(['updated']);
    expect(JSON.parse(room.read(room.claude) ?? '').hooks.Stop).toHaveLength(1);
  });

  it('keeps mode and link: behind a link the target is written, and the copy is under the name of the link', () => {
    const target = room.write(join(room.home, 'dotfiles/claude.json'), USER, 0o640);
    mkdirSync(dirname(room.claude), { recursive: true });
    symlinkSync('../dotfiles/claude.json', room.claude);
    room.do('install', ['claude']);
    expect(readlinkSync(room.claude)).toBe('../dotfiles/claude.json');
    expect(room.read(target)).toContain('/rollcall/hook.sh');
    expect(room.mode(target)).toBe(0o640);
    expect(room.backupsOf(target)).toEqual([]);
    const [backup = ''] = room.backupsOf(room.claude);
    expect(room.read(room.backup(room.claude, backup))).toBe(USER);
    expect(room.mode(room.backup(room.claude, backup))).toBe(0o600);
    room.do('remove', ['claude']);
    expect(room.read(target)).toBe(USER);
  });

  it('leaves no temporary file behind', () => {
    room.write(room.claude, USER);
    room.do('install', ['claude']);
    expect(readdirSync(dirname(room.claude))).toEqual(['settings.json']);
  });

  it('for a project goes into the file of Claude that is not shared', () => {
    room.do('install', ['claude', 'codex', 'gemini', 'opencode'], 'project');
    expect(existsSync(join(room.project, '.claude/settings.local.json'))).toBe(true);
    expect(existsSync(join(room.project, '.codex/hooks.json'))).toBe(true);
    expect(existsSync(join(room.project, '.gemini/settings.json'))).toBe(true);
    expect(existsSync(join(room.project, '.opencode/plugin/rollcall.ts'))).toBe(true);
    expect(existsSync(room.claude)).toBe(false);
  });

  it('honours the folders that agents are told to use', () => {
    const env = {
      HOME: room.home,
      CLAUDE_CONFIG_DIR: join(room.root, 'c'),
      CODEX_HOME: join(room.root, 'x'),
      GEMINI_CLI_HOME: join(room.root, 'g'),
      XDG_CONFIG_HOME: join(room.root, 'o'),
      XDG_DATA_HOME: join(room.root, 'data'),
    };
    mkdirSync(join(room.root, 'o/opencode/plugins'), { recursive: true });
    const { plan } = room.do('install', ['claude', 'codex', 'gemini', 'opencode'], 'user', { env });
    const made = ['data/rollcall/hook.sh', 'c/settings.json', 'x/hooks.json', 'g/.gemini/settings.json'];
    for (const path of [...made, 'o/opencode/plugins/rollcall.ts'])
      expect(existsSync(join(room.root, path))).toBe(true);
    expect(plan.problems).toEqual([]);
  });

  it('tells what the user has to do about Codex, and does not touch its config', () => {
    const toml = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n';
    const config = room.write(join(room.home, '.codex/config.toml'), toml);
    const notes = room.do('install', ['codex']).plan.agents[0]?.notes.join(' ');
    expect(notes).toContain('review');
    expect(notes).toContain('config.toml');
    expect(room.read(config)).toBe(toml);
  });
});

describe('a removal', () => {
  it.each([...JSON_AGENTS])('gives the file of %s back to the byte', (agent) => {
    const path = room[agent];
    const text = '{"hooks": {  }, "a":\t[1,2]}';
    room.write(path, text);
    room.do('install', [agent]);
    expect(outcomes(room.do('remove', [agent]).plan)).toEqual(['removed']);
    expect(room.read(path)).toBe(text);
  });

  it('removes files and folders that the installation made, and the script with the last hook', () => {
    room.do('install', ['codex', 'gemini', 'opencode']);
    room.do('remove', ['codex']);
    expect(existsSync(room.script)).toBe(true);
    room.do('remove', ['gemini', 'opencode']);
    for (const path of ['.codex', '.gemini', '.config', '.local/share/rollcall']) {
      expect(existsSync(join(room.home, path))).toBe(false);
    }
  });

  it('keeps the script while a project elsewhere still calls it', () => {
    room.do('install', ['claude'], 'project');
    room.do('install', ['claude']);
    room.do('remove', ['claude'], 'user', { cwd: room.home });
    expect(existsSync(room.script)).toBe(true);
    room.do('remove', ['claude'], 'project');
    expect(existsSync(room.script)).toBe(false);
    expect(existsSync(join(room.project, '.claude'))).toBe(false);
  });

  it('takes only our hooks out of a file that was changed since', () => {
    room.write(room.claude, USER);
    room.do('install', ['claude']);
    const changed = JSON.parse(room.read(room.claude) ?? '');
    changed.hooks.Stop[1].hooks.push({ type: 'command', command: 'mine, beside theirs' });
    room.write(room.claude, JSON.stringify({ ...changed, added: true }, null, 2));
    room.do('remove', ['claude']);
    const text = room.read(room.claude) ?? '';
    expect(JSON.parse(text)).toEqual({
      model: 'opus',
      hooks: {
        Stop: [
          { hooks: [{ type: 'command', command: 'say done' }] },
          { matcher: '', hooks: [{ type: 'command', command: 'mine, beside theirs' }] },
        ],
      },
      added: true,
    });
  });

  it.each(['{"hooks":{"Stop":[]}}', '{"hooks":{}}'])(
    'keeps empty lists that were there before, also in a file that was changed since: %s',
    (text) => {
      room.write(room.claude, text);
      room.do('install', ['claude']);
      room.write(room.claude, `${room.read(room.claude)}\n\n`);
      room.do('remove', ['claude']);
      expect(JSON.parse(room.read(room.claude) ?? '')).toEqual(JSON.parse(text));
    },
  );

  it('leaves a file that it made, once the user has put a link in its place', () => {
    room.do('install', ['codex']);
    const target = room.write(join(room.home, 'dotfiles/codex.json'), room.read(room.codex) ?? '');
    unlinkSync(room.codex);
    symlinkSync(target, room.codex);
    room.do('remove', ['codex']);
    expect(readlinkSync(room.codex)).toBe(target);
    expect(JSON.parse(room.read(target) ?? '')).toEqual({});
  });

  it('works without what was recorded', () => {
    room.write(room.gemini, '{\n  // mine\n  "a": 1 // one\n}\n');
    room.do('install', ['gemini']);
    unlinkSync(join(dirname(room.script), 'hook-edits.json'));
    room.do('remove', ['gemini']);
    expect(room.read(room.gemini)).toBe('{\n  // mine\n  "a": 1 // one\n}\n');
  });

  it('never pulls what follows into a comment', () => {
    const ours = (text: string) =>
      `{ // mine\n"hooks":{"AfterAgent":[{"matcher":"*","hooks":[{"name":"rollcall","type":"command","timeout":10000,"command":"'/x/rollcall/hook.sh' gemini AfterAgent"}]}]}${text}`;
    room.write(room.gemini, ours(', "b": 2}'));
    expect(room.do('remove', ['gemini']).plan.problems).toEqual([]);
    expect(room.read(room.gemini)).toBe('{ // mine\n "b": 2}');
    room.write(room.gemini, ours(' // too\n}'));
    expect(room.do('remove', ['gemini']).plan.problems).toEqual([]);
    expect(room.read(room.gemini)).toMatch(/^\{ \/\/ mine\s+\/\/ too\n\}$/);
  });

  it('of nothing changes nothing', () => {
    const { plan } = room.do('remove', ['claude', 'codex', 'gemini', 'opencode']);
    expect(plan.files).toEqual([]);
    expect(new Set(outcomes(plan))).toEqual(new Set(['not-installed']));
  });
});

describe('a file that cannot be edited safely', () => {
  it.each([
    ['broken JSON', '{\n  "a": 1,\n}\n', 3, /comma too many/],
    ['comments that Claude does not read', '{\n  // no\n  "a": 1\n}\n', 2, /no comments/],
    ['hooks twice', '{"hooks":{},\n"hooks":{}}', 2, /second time/],
    ['an event twice', '{"hooks":{"Stop":[],\n"Stop":[]}}', 2, /second time/],
    ['hooks as a list', '{\n"hooks":[]}', 2, /not an object/],
    ['an event as an object', '{"hooks":{\n"Stop":{}}}', 2, /not a list/],
    ['a list as settings', '[]', 1, /not an object/],
    ['half a file', '{"a": "b', 1, /no end/],
  ])('is named with its line and left alone: %s', (_what, text, line, message) => {
    room.write(room.claude, text);
    const { plan, applied } = room.do('install', ['claude', 'codex']);
    expect(plan.problems).toEqual([
      expect.objectContaining({ file: room.claude, line, text: expect.stringMatching(message) }),
    ]);
    expect(plan.problems[0]?.hint).not.toBe('');
    expect(applied).toMatchObject({ state: 'failed', written: [] });
    expect(room.read(room.claude)).toBe(text);
    expect(existsSync(room.codex)).toBe(false);
    expect(existsSync(room.script)).toBe(false);
  });

  it.each([
    ['read-only', () => room.write(room.claude, USER, 0o444), /read-only/],
    ['a link to nothing', () => symlinkSync('/nowhere/else', room.claude), /link to nothing/],
    ['a folder', () => mkdirSync(room.claude), /not a regular file/],
    ['not UTF-8', () => room.write(room.claude, Buffer.from([0x7b, 0xff, 0x7d]) as never), /UTF-8/],
    ['more than settings can be', () => room.write(room.claude, ' '.repeat(5 * 1024 * 1024)), /4 MiB/],
  ])('is left alone: %s', (_what, make, message) => {
    mkdirSync(dirname(room.claude), { recursive: true });
    make();
    const { plan, applied } = room.do('install', ['claude']);
    expect(plan.problems[0]?.text).toMatch(message);
    expect(applied).toMatchObject({ state: 'failed', written: [] });
    expect(existsSync(room.script)).toBe(false);
  });

  it('is refused where Gemini or Codex would not read a byte order mark, and edited where Claude does', () => {
    for (const agent of JSON_AGENTS) room.write(room[agent], '\ufeff{}');
    expect(room.config().plan('install', ['codex', 'gemini'], 'user').problems).toHaveLength(2);
    room.do('install', ['claude']);
    expect(room.read(room.claude)).toMatch(/^\ufeff\{\n/);
  });

  it('is a plugin of the same name that is not ours', () => {
    room.write(room.opencode, 'export const Mine = 1\n');
    const { plan } = room.do('install', ['opencode']);
    expect(plan.problems[0]?.text).toContain('has not written');
    expect(outcomes(room.do('remove', ['opencode']).plan)).toEqual(['not-installed']);
    expect(room.read(room.opencode)).toBe('export const Mine = 1\n');
  });

  it('is one that changed between the plan and the write', () => {
    room.write(room.claude, USER);
    const config = room.config();
    const plan = config.plan('install', ['claude', 'codex'], 'user');
    room.write(room.claude, '{"other":1}');
    expect(config.apply(plan)).toMatchObject({
      state: 'failed',
      written: [],
      problem: { file: room.claude },
    });
    expect(room.read(room.claude)).toBe('{"other":1}');
    expect(existsSync(room.codex)).toBe(false);
  });

  it('is missing where there is no home, no project or no spool', () => {
    const at = (parts: object, scope: 'user' | 'project' = 'user') =>
      room
        .config(parts)
        .plan('install', ['claude'], scope)
        .problems.map(({ text }) => text);
    expect(at({ env: {} })).toEqual(['there is no home folder']);
    expect(at({ cwd: room.home }, 'project')).toEqual(['this folder is in no repository of its own']);
    const spoolProblem = { file: room.spool, line: null, text: 'not yours', hint: '' };
    expect(at({ spoolProblem })).toEqual(['not yours']);
    // There would be no place for the backup.
    room.write(room.claude, USER);
    room.do('install', ['claude']);
    const { problems } = room.config({ spoolProblem }).plan('remove', ['claude'], 'user');
    expect(problems).toEqual([spoolProblem]);
  });
});

describe('agents in use', () => {
  it('are those with a folder, or with a program on the path', () => {
    expect(room.config().inUse()).toEqual([]);
    mkdirSync(join(room.home, '.gemini'));
    room.write(join(room.root, 'bin/codex'), '', 0o755);
    const env = { HOME: room.home, PATH: join(room.root, 'bin') };
    expect(room.config({ env }).inUse()).toEqual(['codex', 'gemini']);
  });
});
