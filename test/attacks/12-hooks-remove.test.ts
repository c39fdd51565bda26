import { linkSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readUserFile } from '../../src/adapters/files/user-file.ts';
import type { JsonHookAgent } from '../../src/adapters/hook-config/hook-agents.ts';
import { giveAttributes } from '../adapters/files/give-attributes.ts';
import { HookRoom } from '../adapters/hook-config/hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const installed = (agent: JsonHookAgent, text: string): string => {
  room.write(room[agent], text);
  expect(room.do('install', [agent]).applied.state).toBe('done');
  return room.read(room[agent]) ?? '';
};
const removed = (agent: JsonHookAgent, text: string): string | null => {
  room.write(room[agent], text);
  expect(room.do('remove', [agent]).applied).toMatchObject({ state: 'done' });
  return room.read(room[agent]);
};

/** Files as people lay them out. */
const TEXTS: readonly (readonly [string, JsonHookAgent, string])[] = [
  ['an empty object of hooks', 'claude', '{"hooks": {  },\t"a":1}'],
  ['an empty list', 'claude', '{\n  "hooks": {"Stop": [ ]},\n  "a": 1\n}\n'],
  ['a byte order mark and CRLF', 'claude', '\ufeff{\r\n    "z": 1,\r\n    "a": [ 1,2 ]\r\n}\r\n'],
  [
    'a hook of the same event',
    'codex',
    '{\n\t"hooks": {\n\t\t"Stop": [{"hooks": [{"command": "x"}]}]\n\t}\n}',
  ],
  ['tabs, no end of line', 'codex', '{\n\t"b": {"c": null},\n\t"a": 1e3\n}'],
  [
    'comments everywhere',
    'gemini',
    '// top\n{ // open\n  /* before */ "a": 1, // behind\n  "hooks": { // mine\n    // none yet\n  } /* end */\n} // last\n',
  ],
  ['no end of line, one line', 'gemini', '{"b":1, /* x */ "a":2}'],
];

describe('a removal', () => {
  it.each(TEXTS)('gives back every byte: %s', (_what, agent, text) => {
    expect(removed(agent, installed(agent, text))).toBe(text);
  });

  it.each(TEXTS)('gives back every byte of a file that somebody has added to: %s', (_what, agent, text) => {
    const after = installed(agent, text);
    const add = (before: string) => before.replace('{', '{ "added": {"hooks": [1]},');
    expect(removed(agent, add(after))).toBe(add(text));
  });

  it.each(TEXTS)('keeps every comment without a record of what was there: %s', (_what, agent, text) => {
    const after = installed(agent, text);
    unlinkSync(join(dirname(room.script), 'hook-edits.json'));
    const bare = removed(agent, `${after} `) ?? '';
    expect(bare).not.toContain('hook.sh');
    for (const [comment] of text.matchAll(/\/\/.*|\/\*.*?\*\//g)) expect(bare).toContain(comment);
  });

  it('keeps comments that somebody wrote around our entries, and into them', () => {
    const after = installed('gemini', '{\n  "a": 1\n}\n');
    const noted = after
      .replace('"hooks": {', '"hooks": { // one')
      .replace('"AfterAgent": [', '"AfterAgent": [ /* two */ // three\n      ')
      .replace('"matcher"', '/* four "*/ "matcher"')
      .replace(/\]\s*\}\s*\}\s*$/, '] // five\n  } /* six */\n}\n');
    const text = removed('gemini', noted) ?? '';
    expect(text).not.toContain('hook.sh');
    for (const word of ['// one', '/* two */', '// three', '/* four "*/', '// five', '/* six */'])
      expect(text).toContain(word);
    expect(text.startsWith('{\n  "a": 1')).toBe(true);
    expect(room.config().plan('install', ['gemini'], 'user').problems).toEqual([]);
  });

  it('keeps what somebody put into an entry of ours: a handler, a name', () => {
    const after = JSON.parse(installed('claude', '{}'));
    after.hooks.Stop[0].hooks.unshift({ type: 'command', command: 'mine' });
    after.hooks.SessionEnd[0].description = 'my note';
    const { hooks } = JSON.parse(removed('claude', JSON.stringify(after, null, 1)) ?? '');
    expect(hooks).toEqual({
      Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'mine' }] }],
      SessionEnd: [{ matcher: '', hooks: [], description: 'my note' }],
    });
  });

  it('keeps what somebody wrote into a handler of ours, and that handler does nothing any more', () => {
    const after = JSON.parse(installed('claude', '{}'));
    Object.assign(after.hooks.Stop[0].hooks[0], { '//': 'ask Bob first' });
    Object.assign(after.hooks.SessionEnd[0], { matcher: 'mine' });
    Object.assign(after.hooks.SessionEnd[0].hooks[0], { timeout: 77 });
    const idle = { type: 'command', command: 'true' };
    expect(JSON.parse(removed('claude', JSON.stringify(after, null, 2)) ?? '').hooks).toEqual({
      Stop: [{ matcher: '', hooks: [{ ...idle, timeout: 300, '//': 'ask Bob first' }] }],
      SessionEnd: [{ matcher: 'mine', hooks: [{ ...idle, timeout: 77 }] }],
    });
  });

  it('keeps a matcher of the user’s around a handler of ours', () => {
    const after = installed('claude', '{}').replace('"matcher": ""', '"matcher": "mine"');
    const [[entry]] = Object.values(JSON.parse(removed('claude', after) ?? '').hooks) as [[object]];
    expect(entry).toEqual({ matcher: 'mine', hooks: [] });
  });

  it.each([
    ['another agent and event', 'mine Now', 10],
    ['another agent', 'codex Stop', 10],
    ['another event', 'claude SessionEnd', 10],
    ['another place and limit', 'claude Stop', 11],
  ])('keeps an entry that only looks like ours: %s', (_what, words, timeout) => {
    const command = `'/home/me/src/rollcall/hook.sh' ${words}`;
    const text = JSON.stringify({
      hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command, timeout }] }] },
    });
    room.write(room.claude, text);
    expect(room.config().plan('remove', ['claude'], 'user').files).toEqual([]);
    expect(removed('claude', `${installed('claude', text)} `)?.trim()).toBe(text);
  });

  it.each([
    ['a list of handlers', '"hooks": [{', '"hooks": [{ "type": "command", "command": "mine" }], "hooks": [{'],
    ['a command', '"command": "\'', '"command": "mine", "command": "\''],
    ['a command of ours that does not count', ', "timeout": 300', ', "command": "mine", "timeout": 300'],
  ])('is refused where a name stands twice in an entry of ours: %s', (_what, once, twice) => {
    const after = installed('claude', '{}').replaceAll(once, twice);
    expect(after).toContain(twice);
    room.write(room.claude, after);
    for (const action of ['install', 'remove'] as const) {
      const { plan, applied } = room.do(action, ['claude']);
      expect(plan.problems[0]).toMatchObject({
        text: expect.stringMatching(/stands here a second time, in an entry of rollcall's \(line \d/),
        hint: expect.stringContaining('make one of the two'),
      });
      expect([applied.state, room.read(room.claude)]).toEqual(['failed', after]);
    }
  });

  it('leaves a file alone that the agent cannot read: a comma too many', () => {
    const after = installed('gemini', '{\n  "a": 1\n}\n').replace(/\n\}\n$/, ',\n}\n');
    room.write(room.gemini, after);
    expect(room.do('remove', ['gemini']).plan.problems[0]?.text).toContain('comma too many');
    expect(room.read(room.gemini)).toBe(after);
  });

  it('keeps a plugin that somebody has changed, and says where', () => {
    room.do('install', ['opencode']);
    const changed = `${room.read(room.opencode)}export const mine = 1\n`;
    room.write(room.opencode, changed);
    const { plan, applied } = room.do('remove', ['opencode']);
    expect(plan.files[0]).toMatchObject({ path: room.opencode, after: null, isOwn: false });
    expect(plan.agents[0]?.notes.join(' ')).toContain('kept as a backup');
    expect(room.read(room.opencode)).toBeNull();
    expect(applied.backups.map(({ file, backup }) => [file, room.read(backup)])).toEqual([
      [room.opencode, changed],
    ]);
  });

  it('keeps a changed plugin also when a new version takes its place; its own it does not', () => {
    room.do('install', ['opencode']);
    room.write(room.opencode, `${room.read(room.opencode)}// mine\n`);
    const events = { claude: [], codex: [], gemini: [], opencode: ['session.idle'] };
    const { applied } = room.do('install', ['opencode'], 'user', { events });
    expect(applied.backups.map(({ backup }) => room.read(backup)?.endsWith('// mine\n'))).toEqual([true]);
    expect(room.do('install', ['opencode']).applied.backups).toEqual([]);
  });
});

describe('an installation', () => {
  it('leaves an entry alone that the user has changed, also their note when another event is added', () => {
    const noted = installed('claude', '{}').replace('"timeout": 300', '"timeout": 301, "//": "keep"');
    room.write(room.claude, noted);
    expect(room.do('install', ['claude']).plan.agents[0]?.outcome).toBe('already-installed');
    const events = { claude: ['Stop', 'SessionEnd', 'StopFailure'], codex: [], gemini: [], opencode: [] };
    const { plan, applied } = room.do('install', ['claude'], 'user', { events });
    expect([plan.agents[0]?.outcome, applied.state]).toEqual(['updated', 'done']);
    expect(plan.agents[0]?.notes.join(' ')).toContain('"hooks.Stop"');
    expect(room.read(room.claude)).toContain('"command": "true", "timeout": 301, "//": "keep"');
  });
});

describe('settings with a secret in them', () => {
  it('can be read by nobody else afterwards, and keep what is attached to them', (context) => {
    room.write(room.claude, '{ "env": { "TOKEN": "secret" } }', 0o600);
    if (!giveAttributes(room.claude)) return context.skip('this file system has no access lists');
    const before = readUserFile(room.claude);
    const rights = { mode: 0o640, attributes: before.state === 'read' ? before.attributes : null };
    for (const action of ['install', 'remove'] as const) {
      expect(room.do(action, ['claude']).applied.state).toBe('done');
      expect(readUserFile(room.claude)).toMatchObject(rights);
    }
    for (const name of room.names(room.backups)) expect(room.mode(join(room.backups, name))).toBe(0o600);
  });
});

describe('hard links', () => {
  it.each(['install', 'remove'] as const)(
    'are not split by %s: it is refused, and says how to go on',
    (action) => {
      const text = action === 'install' ? '{"a":1}' : installed('claude', '{"a":1}');
      room.write(room.claude, text);
      const second = join(room.home, 'second.json');
      linkSync(room.claude, second);
      const { plan, applied } = room.do(action, ['claude']);
      expect(plan.problems[0]).toMatchObject({
        file: room.claude,
        text: 'it is one of 2 hard links, and rollcall would change only this one',
        hint: expect.stringContaining('cp -p'),
      });
      expect(applied).toMatchObject({ state: 'failed', written: [] });
      expect([room.read(room.claude), lstatSync(second).nlink]).toEqual([text, 2]);
    },
  );
});

describe('links out of a repository', () => {
  const elsewhere = () => join(room.home, 'elsewhere');
  const file = () => join(room.project, '.claude/settings.local.json');

  it.each([
    ['a folder, with the file in it', true, true],
    ['a folder, without the file', true, false],
    ['the file', false, true],
  ])('are not followed without a word: %s', (_what, isFolder, isThere) => {
    const target = join(elsewhere(), 'settings.local.json');
    if (isThere) room.write(target, '{"theirs":1}');
    else mkdirSync(elsewhere());
    if (!isFolder) mkdirSync(dirname(file()));
    symlinkSync(isFolder ? elsewhere() : target, isFolder ? dirname(file()) : file());
    const refused = room.do('install', ['claude'], 'project');
    expect(refused.plan.problems).toEqual([
      {
        ...{ file: file(), line: null, text: `a link leads out of the repository, to ${target}` },
        hint: 'if that file is meant, say --follow-links',
      },
    ]);
    expect(refused.applied).toMatchObject({ state: 'failed', written: [] });
    expect(room.read(target)).toBe(isThere ? '{"theirs":1}' : null);
    const plan = room.config().plan('install', ['claude'], 'project', true);
    expect(plan.files[0]).toMatchObject({ path: file(), leadsTo: target });
    expect(room.config().apply(plan).state).toBe('done');
    expect(readFileSync(target, 'utf8')).toContain('hook.sh');
    expect(lstatSync(isFolder ? dirname(file()) : file()).isSymbolicLink()).toBe(true);
    // Taking them out needs the same word.
    expect(room.do('remove', ['claude'], 'project').applied.state).toBe('failed');
    expect(room.config().apply(room.config().plan('remove', ['claude'], 'project', true)).state).toBe('done');
    expect(room.read(target)).toBe(isThere ? '{"theirs":1}' : null);
  });

  it('are told, and need no word, where they stay in the repository or are the user’s own', () => {
    room.write(join(room.project, 'config/settings.local.json'), '{}');
    symlinkSync('config', join(room.project, '.claude'));
    expect(room.config().plan('install', ['claude'], 'project')).toMatchObject({
      problems: [],
      files: [{ leadsTo: join(room.project, 'config/settings.local.json') }, { leadsTo: null }],
    });
    const own = room.write(join(elsewhere(), 'claude.json'), '{}');
    mkdirSync(dirname(room.claude));
    symlinkSync(own, room.claude);
    expect(room.config().plan('install', ['claude'], 'user')).toMatchObject({
      problems: [],
      files: [{ path: room.claude, leadsTo: own }, { leadsTo: null }],
    });
    room.do('install', ['claude']);
    expect(readlinkSync(room.claude)).toBe(own);
    unlinkSync(room.claude);
  });
});
