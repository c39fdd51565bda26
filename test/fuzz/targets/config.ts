import { readCodexConfig } from '../../../src/adapters/hook-config/codex-review.ts';
import { addHooks, takeOutHooks } from '../../../src/adapters/hook-config/edit-hooks.ts';
import { parseRecords, printRecords } from '../../../src/adapters/hook-config/edit-record.ts';
import type { WantedHooks } from '../../../src/adapters/hook-config/hook-agents.ts';
import { parseJsonText, plainValue } from '../../../src/adapters/hook-config/json-text.ts';
import { readSettings } from '../../../src/adapters/hook-config/settings-text.ts';
import { parseArgv } from '../../../src/cli/frame/parse-argv.ts';
import { parseDate, readSince } from '../../../src/cli/log/since.ts';
import { readDuration } from '../../../src/cli/wait/wait-duration.ts';
import { readKeys } from '../../../src/cli/watch/keys.ts';
import { isGlob, matchesGlob } from '../../../src/config/glob.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { formatBytes, parseBytes } from '../../../src/config/measure-kinds.ts';
import { nearest } from '../../../src/config/nearest.ts';
import { readConfigFile, readConfigText } from '../../../src/config/read-config-file.ts';
import { parseValue } from '../../../src/config/setting.ts';
import { SETTINGS } from '../../../src/config/settings-table.ts';
import { parseCheck, splitWords } from '../../../src/core/gate/parse-check.ts';
import { formatDuration, parseDuration } from '../../../src/core/text/duration.ts';
import { Failure } from '../../../src/operations/failure.ts';
import { once, recorded, samples } from '../corpus.ts';
import { type Target, target } from '../target.ts';

const isFailure = (error: unknown): boolean => error instanceof Failure;

const WANTED: WantedHooks = {
  agent: 'gemini',
  events: ['SessionStart', 'AfterAgent'],
  stopEvent: 'AfterAgent',
  script: '/home/ann/.local/state/rollcall/hook.sh',
};

const SETTINGS_TEXTS = [
  '{\n  // comment\n  "hooks": { "AfterAgent": [ { "matcher": "*", "hooks": [ { "type": "command", "command": "x" } ] } ] },\n  "theme": "dark"\n}\n',
  '{}',
  '{"hooks":{}}\n',
];

const REVIEW =
  '[features]\nhooks = true\n[hooks.state."/home/a/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:abc"\nenabled = true\n[[hooks.Stop]]\n';

const RECORDS = JSON.stringify({
  version: 1,
  files: {
    '/a/settings.json': {
      ...{ wasAbsent: false, before: 'x', after: 'y', edits: [{ at: 0, removed: '', added: '{}' }] },
      ...{ kept: { hooks: true, events: ['Stop'] }, folders: [] },
    },
  },
});

const SPECS = {
  json: { kind: 'switch', means: '' },
  since: { kind: 'word', placeholder: 'TIME', means: '' },
  env: { kind: 'words', placeholder: 'NAME=VALUE', means: '' },
  mode: { kind: 'choice', values: ['on', 'off'], means: '' },
} as never;

export const CONFIG_TARGETS: readonly Target[] = [
  target({
    name: 'config-file',
    covers: [
      'config/load.ts#loadConfig',
      'config/read-config-file.ts#readConfigFile',
      'config/read-config-file.ts#readConfigText',
      'config/setting.ts#parseValue',
    ],
    seeds: once(() => [
      recorded('fixtures/0.1.0/config.json'),
      ...samples(
        '{"idleAfter":"1h","protect":["main*"]}',
        '{"roles":{"worker":{"settle":"close"}},"reap":{}}',
      )(),
    ]),
    words: [
      '"idleAfter":1e999',
      '"__proto__":{"idleAfter":"1s"}',
      '"roles":{"constructor":{}}',
      '"1.5h"',
      '-1',
    ],
    parse(input, room) {
      const path = room.file('config.json', input);
      const project = room.file('work/.rollcall.json', input);
      const values = Object.values(SETTINGS).map(
        ({ about }) => parseValue(about, input.toString('utf8')).isValid,
      );
      return [
        loadConfig({ env: { ROLLCALL_CONFIG: path, HOME: room.folder }, cwd: '/' }),
        loadConfig({ env: { HOME: room.folder }, cwd: `${room.folder}/work` }),
        readConfigFile(project, true),
        readConfigText(path).state,
        values,
      ];
    },
    infinite: 'some settings have no bound of their own',
    growth: 400,
    most: 16 * 1024,
  }),
  target({
    name: 'measures',
    covers: [
      'core/text/duration.ts#parseDuration',
      'config/measure-kinds.ts#parseBytes',
      'cli/wait/wait-duration.ts#readDuration',
      'cli/log/since.ts#readSince',
      'cli/log/since.ts#parseDate',
    ],
    seeds: samples(
      '45m',
      '1.5h',
      '500ms',
      '256KiB',
      '1.5 MiB',
      '2026-03-01',
      '2026-03-01T14:30Z',
      '999999999999999d',
    ),
    words: ['ms', 'GiB', '.', 'Z', '+01:00'],
    parse(input) {
      const text = input.toString('utf8');
      const read = (how: () => number) => {
        try {
          return how();
        } catch (error) {
          if (isFailure(error)) return null;
          throw error;
        }
      };
      return {
        duration: parseDuration(text),
        bytes: parseBytes(text),
        date: parseDate(text),
        since: read(() => readSince(text, 1_794_962_580_000)),
        wait: read(() => readDuration('for', text, { min: 1, max: 86_400_000 })),
      };
    },
    objection(_, { duration, bytes, wait }) {
      if (duration !== null && duration < 0) return 'is a negative duration';
      if (
        duration !== null &&
        Number.isSafeInteger(duration) &&
        parseDuration(formatDuration(duration)) !== duration
      )
        return `${duration} ms is written as ${formatDuration(duration)}`;
      if (bytes !== null && Number.isSafeInteger(bytes) && parseBytes(formatBytes(bytes)) !== bytes)
        return `${bytes} bytes are written as ${formatBytes(bytes)}`;
      return wait !== null && !(wait >= 1 && wait <= 86_400_000) ? `${wait} is out of bounds` : null;
    },
  }),
  target({
    name: 'globs',
    covers: ['config/glob.ts#matchesGlob', 'config/glob.ts#isGlob', 'config/nearest.ts#nearest'],
    seeds: samples('main*\nmain-1', '[a-z]?b\nxyb', '*a*b\nccab', '[!x]\ny', 'a]b[\na]b['),
    words: ['*', '?', '[a-z]', '[!', ']', '\n'],
    parse(input) {
      const [pattern = '', name = ''] = input.toString('utf8').slice(0, 4000).split('\n');
      return {
        pattern,
        name,
        is: matchesGlob(pattern, name),
        has: isGlob(pattern),
        near: nearest(name, [pattern, 'main']),
      };
    },
    objection({ length }, { pattern, name, is, has }) {
      if (length > 4000 || pattern.length * name.length > 40_000) return null;
      if (!has && is !== (pattern === name)) return 'a plain name matches something else';
      return is === slowGlob(pattern, name) ? null : `says ${is} where a slow matcher says otherwise`;
    },
    most: 4000,
  }),
  target({
    name: 'gate-check',
    covers: ['core/gate/parse-check.ts#parseCheck', 'core/gate/parse-check.ts#splitWords'],
    seeds: samples(
      'clean',
      'todo:TODO.md',
      'command:npm test',
      '{"check":"command","argv":["a"],"timeout":"5m"}',
      "command:sh -c 'a b'",
    ),
    words: ['command:', '"', "'", '\\', '{"check":"__proto__"}', '"timeout":"1h"'],
    parse(input) {
      const text = input.toString('utf8');
      return [parseCheck(text, { timeoutMs: 60_000 }), splitWords(text)];
    },
    objection: (_, [parsed]) => {
      const check = parsed && 'check' in parsed ? parsed.check : null;
      return check?.kind === 'command' && !(check.timeoutMs >= 1000 && check.timeoutMs <= 3_600_000)
        ? `waits ${check.timeoutMs} ms`
        : null;
    },
    growth: 100,
  }),
  target({
    name: 'command-line',
    covers: ['cli/frame/parse-argv.ts#parseArgv', 'cli/watch/keys.ts#readKeys'],
    seeds: samples('--json\0--since=1h\0a', '--env\0A=b\0--\0--json', '--mode\0on\0-', '\x1b[A\x1b[6~q\r'),
    words: ['--', '\0', '--mode=', '=', '\x1b[', '\x1bO'],
    parse(input) {
      const text = input.toString('utf8');
      return [readKeys('', text), parseArgv(text.split('\0'), SPECS)];
    },
    isDeclared: isFailure,
    growth: 100,
    hard: {
      'many words behind --': (bytes) =>
        Buffer.concat([Buffer.from('--'), Buffer.alloc(Math.min(bytes, 2_000_000), '\0a')]),
    },
  }),
  target({
    name: 'json-text',
    covers: ['adapters/hook-config/json-text.ts#parseJsonText'],
    seeds: samples(...SETTINGS_TEXTS, '[1, -2.5e3, "\\u00e9", null, true]', '\ufeff{"a":[{}]}'),
    words: ['//x\n', '/*x*/', ',', '"a":', '\\u0041', '[['],
    parse(input) {
      const text = input.toString('utf8');
      const plain = parseJsonText(text, { comments: false });
      const commented = parseJsonText(text, { comments: true });
      return {
        state: commented.state,
        value: plain.state === 'parsed' ? { said: plainValue(plain.root) } : null,
      };
    },
    // Two parsers must agree on what is JSON, and on what it says.
    objection(input, { value }) {
      const text = input.toString('utf8').replace(/^\ufeff/, '');
      let other: unknown;
      try {
        other = JSON.parse(text);
      } catch {
        return value === null ? null : 'reads what is no JSON';
      }
      if (value === null) return isDeep(other) ? null : 'does not read what is JSON';
      return JSON.stringify(value.said) === JSON.stringify(other) || text.includes('__proto__')
        ? null
        : 'reads it otherwise than JSON.parse';
    },
    infinite: 'a number of JSON may be too large, as for JSON.parse',
    most: 16 * 1024,
  }),
  target({
    name: 'hook-settings',
    covers: [
      'adapters/hook-config/settings-text.ts#readSettings',
      'adapters/hook-config/edit-hooks.ts#addHooks',
      'adapters/hook-config/edit-hooks.ts#takeOutHooks',
    ],
    seeds: samples(...SETTINGS_TEXTS),
    words: ['"hooks"', '"AfterAgent":[]', '//', '\r\n', ','],
    parse(input) {
      const text = input.toString('utf8');
      const added = addHooks(text, WANTED);
      const back = added.state === 'done' ? takeOutHooks(added.text, WANTED, added.kept) : null;
      return { read: readSettings(text, WANTED).state, added, back };
    },
    objection(input, { added, back }) {
      const text = input.toString('utf8');
      if (added.state !== 'done' || back?.state !== 'done' || text.trim() === '') return null;
      const [before, after] = [text, back.text].map((one) => parseJsonText(one, { comments: true }));
      const said = [before, after].map((one) =>
        one?.state === 'parsed' ? JSON.stringify(plainValue(one.root)) : '',
      );
      // A text that names our script itself is taken for ours.
      return said[0] === said[1] || text.includes('rollcall')
        ? null
        : 'says something else after hooks were put in and taken out';
    },
    infinite: 'a number of JSON may be too large, as for JSON.parse',
    growth: 2000,
    most: 4096,
  }),
  target({
    name: 'hook-records',
    covers: [
      'adapters/hook-config/edit-record.ts#parseRecords',
      'adapters/hook-config/codex-review.ts#readCodexConfig',
    ],
    seeds: samples(RECORDS, REVIEW),
    words: ['"__proto__":{}', '"at":-1', "[hooks.state.'x']", '[hooks.state."x"]', 'hooks = false', '\\"'],
    parse(input) {
      const text = input.toString('utf8');
      return [parseRecords(text), readCodexConfig(text)];
    },
    objection(_, [records]) {
      const again = parseRecords(printRecords(records as never));
      return JSON.stringify([...again]) === JSON.stringify([...(records as ReadonlyMap<string, unknown>)])
        ? null
        : 'reads otherwise what it printed';
    },
    growth: 200,
    hard: {
      'a key without end': (bytes) =>
        Buffer.concat([Buffer.from('[hooks.state."'), Buffer.alloc(bytes, 'a')]),
      'a long key': (bytes) =>
        Buffer.concat([Buffer.from('[hooks.state."'), Buffer.alloc(bytes, 'a'), Buffer.from('"]\n')]),
    },
  }),
];

/** The same answer in a way that is easy to check: everything is tried. */
function slowGlob(pattern: string, name: string): boolean {
  const letters = Array.from(name);
  const steps = Array.from(pattern);
  let open = new Set([0]);
  const close = (places: ReadonlySet<number>): Set<number> => {
    const all = new Set(places);
    for (const at of all) if (steps[at] === '*') all.add(at + 1);
    return all;
  };
  open = close(open);
  for (const letter of letters) {
    const next = new Set<number>();
    for (const at of open) {
      const step = steps[at];
      if (step === undefined) continue;
      if (step === '*') next.add(at);
      else if (step === '?') next.add(at + 1);
      else {
        const set = step === '[' ? setAt(steps, at) : null;
        if (set !== null) {
          if (set.has(letter)) next.add(set.end + 1);
        } else if (step === letter) next.add(at + 1);
      }
    }
    open = close(next);
  }
  return open.has(steps.length);
}

function setAt(steps: readonly string[], at: number): { end: number; has(letter: string): boolean } | null {
  const isNegated = steps[at + 1] === '!' || steps[at + 1] === '^';
  const from = at + (isNegated ? 2 : 1);
  const end = steps.indexOf(']', from + 1);
  if (end === -1) return null;
  const point = (letter: string | undefined) => letter?.codePointAt(0) ?? -1;
  const has = (letter: string): boolean => {
    for (let index = from; index < end; index += 1) {
      const isRange = steps[index + 1] === '-' && index + 2 < end;
      const [low, high] = [point(steps[index]), point(steps[isRange ? index + 2 : index])];
      if (low <= point(letter) && point(letter) <= high) return true;
      if (isRange) index += 2;
    }
    return false;
  };
  return { end, has: (letter) => has(letter) !== isNegated };
}

const DEEP = 100;

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEP - 2) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
