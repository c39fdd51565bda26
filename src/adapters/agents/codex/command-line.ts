import { resolve } from 'node:path';
import { argumentsOf } from '../common/started-by.ts';

/** What a Codex command line says, as far as it matters here. */
export interface CodexCommand {
  /** The first word that is no option: a subcommand, or the prompt. */
  readonly first?: string;
  /** `codex resume <uuid>`: the conversation that it was started with, which need not be the one it shows now. */
  readonly resumes?: string;
  /** It takes up a conversation that it finds itself or lets its user choose: of its folder, or of all. */
  readonly chooses: 'folder' | 'all' | null;
  readonly profile?: string;
  /** `-C`: where the conversation works, when that is not where the process was started. */
  readonly folder?: string;
  /** `-c key=value`, as it stands. */
  readonly overrides: ReadonlyMap<string, string>;
  readonly isRemote: boolean;
  /** It was told to run its conversations itself; without the word it may still do so. */
  readonly isWithoutDaemon: boolean;
  /** It only prints something (`--help`, `--version`). */
  readonly isPrinting: boolean;
}

/** A thread id as Codex writes it. */
export const THREAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Takes a command line apart; null when it is not Codex. */
export function codexCommand(argv: readonly string[]): CodexCommand | null {
  const words = wordsOfCodex(argv);
  if (words === null) return null;
  const overrides = new Map<string, string>();
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    // What follows is the prompt.
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    const [flag, inline] = split(word);
    if (!TAKES_A_VALUE.has(flag)) flags.add(flag);
    else {
      const value = inline ?? words[++index] ?? '';
      if (flag === '-c' || flag === '--config') keep(overrides, value);
      else values.set(flag, value);
    }
  }
  const profile = values.get('-p') ?? values.get('--profile');
  const folder = values.get('-C') ?? values.get('--cd');
  const resumes = rest[0] === 'resume' && THREAD_ID.test(rest[1] ?? '') ? rest[1] : undefined;
  return {
    ...(rest[0] !== undefined && { first: rest[0] }),
    ...(resumes !== undefined && { resumes }),
    ...(profile !== undefined && { profile }),
    ...(folder !== undefined && { folder }),
    chooses: choiceIn(rest, flags),
    overrides,
    isRemote: values.has('--remote'),
    isWithoutDaemon: flags.has('--no-daemon'),
    isPrinting: ['-h', '--help', '-V', '--version'].some((flag) => flags.has(flag)),
  };
}

// `codex resume [ID or name]`, and the same behind `exec`; `--last` takes the newest, and then the next word is a prompt.
function choiceIn(rest: readonly string[], flags: ReadonlySet<string>): CodexCommand['chooses'] {
  const [first, named] = rest[0] === 'exec' || rest[0] === 'e' ? rest.slice(1) : rest;
  const isLast = flags.has('--last');
  if (first !== 'resume' || (!isLast && THREAD_ID.test(named ?? ''))) return null;
  return flags.has('--all') || (!isLast && named !== undefined) ? 'all' : 'folder';
}

/** What Codex itself was given; null when it is another program. */
export function wordsOfCodex(argv: readonly string[]): readonly string[] | null {
  return argumentsOf(argv, SIGNATURE);
}

/** Where a Codex process lets its conversation work. */
export function folderOf(command: CodexCommand, cwd: string | undefined): string | undefined {
  if (command.folder === undefined) return cwd;
  return cwd === undefined ? undefined : resolve(cwd, command.folder);
}

export const SIGNATURE = { programs: ['codex'], packages: ['@openai/codex'] };

const TAKES_A_VALUE = new Set(
  (
    '-c --config --enable --disable --remote --remote-auth-token-env -i --image -m --model --local-provider ' +
    '-p --profile -s --sandbox -C --cd --add-dir -a --ask-for-approval'
  ).split(' '),
);

// `--flag=value`, and `-cvalue` with the value in the same word.
function split(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  if (word.startsWith('--')) return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  return word.length > 2 ? [word.slice(0, 2), word.slice(2).replace(/^=/, '')] : [word, undefined];
}

function keep(overrides: Map<string, string>, text: string): void {
  const at = text.indexOf('=');
  if (at > 0) overrides.set(text.slice(0, at).trim(), text.slice(at + 1).trim());
}
