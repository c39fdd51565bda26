import { parseDuration } from '../text/duration.ts';
import { visible } from '../text/visible.ts';
import type { GateCheck } from './check.ts';

/** A check, or what is wrong with how it was written. */
export type ParsedCheck =
  | { readonly state: 'check'; readonly check: GateCheck }
  | { readonly state: 'wrong'; readonly text: string; readonly hint: string };

/** What a check has where nothing else is said. */
export interface CheckDefaults {
  readonly timeoutMs: number;
}

const MAX_LENGTH = 8192;
const MAX_WORDS = 256;
const MIN_TIMEOUT_MS = 1000;
const MAX_TIMEOUT_MS = 3_600_000;
/** No path and no argument can hold it. */
const NUL = '\0';

const HINT = 'one of clean, pushed, todo, todo:FILE, file:PATH, command:LINE, or a JSON object with "check"';
const NO_SHELL =
  "several checks may be given, env NAME=VALUE sets a variable, and sh -c '…' is a command too";

/** Reads one check as `--until` takes it. Never throws. */
export function parseCheck(text: string, defaults: CheckDefaults): ParsedCheck {
  const said = text.trim();
  if (said.length > MAX_LENGTH) return wrong('a check is too long', `at most ${MAX_LENGTH} characters`);
  if (said.includes(NUL)) return wrong('a check holds a NUL character', HINT);
  if (said.startsWith('{')) return parseObject(said, defaults);
  const [, word = said, rest = null] = /^([a-z]+):([\s\S]*)$/.exec(said) ?? [];
  const value = rest?.trim() ?? null;
  if (value === '') return wrong(`nothing stands behind '${word}:'`, HINT);
  if (value === null) return parseWord(word);
  if (word === 'file') return check({ kind: 'file', path: value });
  if (word === 'todo') return check({ kind: 'todo', path: value });
  if (word === 'command') return parseLine(value, defaults);
  return unknownCheck(said);
}

function parseWord(word: string): ParsedCheck {
  if (word === 'clean' || word === 'pushed') return check({ kind: word });
  if (word === 'todo') return check({ kind: 'todo', path: null });
  return unknownCheck(word);
}

function parseLine(line: string, { timeoutMs }: CheckDefaults): ParsedCheck {
  const split = splitWords(line);
  if (split.state === 'wrong') return wrong(`'${visible(line, 100)}': ${split.text}`, NO_SHELL);
  return command(split.words, null, timeoutMs);
}

type Fields = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  command: ['argv', 'cwd', 'timeout'],
  file: ['path'],
  todo: ['path'],
  clean: [],
  pushed: [],
};

function parseObject(text: string, defaults: CheckDefaults): ParsedCheck {
  const fields = objectIn(text);
  if (fields === null) return wrong('a check that begins with { is not JSON', HINT);
  const { check: kind, path = null } = fields;
  const keys = typeof kind === 'string' && Object.hasOwn(KEYS, kind) ? KEYS[kind] : undefined;
  if (keys === undefined) return unknownCheck(String(kind));
  const strange = Object.keys(fields).find((key) => key !== 'check' && !keys.includes(key));
  if (strange !== undefined) {
    return wrong(`a check '${kind}' has no '${visible(strange, 60)}'`, keysOf(keys));
  }
  if (kind === 'command') return parseCommand(fields, defaults);
  if (path !== null && !isText(path)) return wrong(`the path of '${kind}' is not a text`, HINT);
  if (kind === 'file') {
    return path === null ? wrong("a check 'file' needs a path", HINT) : check({ kind, path });
  }
  return kind === 'todo' ? check({ kind, path }) : check({ kind: kind as 'clean' | 'pushed' });
}

function parseCommand({ argv, cwd = null, timeout = null }: Fields, defaults: CheckDefaults): ParsedCheck {
  if (!Array.isArray(argv) || !argv.every((word): word is string => typeof word === 'string')) {
    return wrong('argv is not a list of texts', keysOf(KEYS.command as readonly string[]));
  }
  if (cwd !== null && !isText(cwd)) return wrong('cwd is not a text', 'a folder below the one of the work');
  const timeoutMs = timeout === null ? defaults.timeoutMs : parseDuration(String(timeout));
  if (timeoutMs === null || timeoutMs < MIN_TIMEOUT_MS || timeoutMs > MAX_TIMEOUT_MS) {
    return wrong(`'${visible(String(timeout), 60)}' is no timeout`, 'from 1s to 1h, as in "5m"');
  }
  return command(argv, cwd, timeoutMs);
}

function command(argv: readonly string[], cwd: string | null, timeoutMs: number): ParsedCheck {
  const [program = ''] = argv;
  if (program.trim() === '') return wrong('a command needs a program', 'command:npm test');
  if (argv.length > MAX_WORDS) return wrong('a command has too many words', `at most ${MAX_WORDS}`);
  if (argv.some((word) => word.includes(NUL))) return wrong('a command holds a NUL character', HINT);
  if (/^[A-Za-z_]\w*=/.test(program)) {
    return wrong(`'${visible(program, 60)}' is no program: no shell reads it`, NO_SHELL);
  }
  return check({ kind: 'command', argv, cwd, timeoutMs });
}

function objectIn(text: string): Fields | null {
  try {
    // It begins with a brace: what can be read is an object.
    return JSON.parse(text) as Fields;
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !value.includes(NUL);
}

function keysOf(keys: readonly string[]): string {
  return keys.length === 0 ? 'it takes nothing else' : `it takes ${keys.join(', ')}`;
}

function unknownCheck(said: string): ParsedCheck {
  const hint = /\s/.test(said) ? `a command is written command:${visible(said, 60)}` : HINT;
  return wrong(`there is no check '${visible(said, 60)}'`, hint);
}

function check(found: GateCheck): ParsedCheck {
  return { state: 'check', check: found };
}

function wrong(text: string, hint: string): ParsedCheck {
  return { state: 'wrong', text, hint };
}

/** A command line in words, or why it cannot be read as one. */
export type SplitLine =
  | { readonly state: 'words'; readonly words: readonly string[] }
  | { readonly state: 'wrong'; readonly text: string };

/** More than the kernel takes as one word. */
const LONGEST_LINE = 256 * 1024;

// A run of one kind: blanks, '…', "…", a backslash with what it protects, or plain characters.
const PIECE = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;

/** What a shell would do something with: there is none here, so that it would silently mean something else. */
const FOR_A_SHELL = /[|&;<>`$]/;

/**
 * Splits a command line into words as a shell would, by blanks, quotes and backslashes. Nothing is expanded and nothing is
 * run: what only a shell understands is refused where it is not quoted.
 */
export function splitWords(line: string): SplitLine {
  if (line.length > LONGEST_LINE)
    return { state: 'wrong', text: `it has more than ${LONGEST_LINE} characters` };
  const words: string[] = [];
  let word: string | null = null;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const match = PIECE.exec(line);
    if (match === null) return { state: 'wrong', text: 'a quote or a backslash has no end' };
    const [, blanks, single, double, escaped, plain] = match;
    const special = plain === undefined ? null : FOR_A_SHELL.exec(plain);
    if (special) return { state: 'wrong', text: `no shell reads it, and '${special[0]}' is for a shell` };
    if (blanks !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word = `${word ?? ''}${single ?? unescaped(double) ?? escaped ?? plain}`;
  }
  if (word !== null) words.push(word);
  return { state: 'words', words };
}

// Within double quotes a backslash protects only these.
function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll(/\\([\\"$`])/g, '$1');
}
