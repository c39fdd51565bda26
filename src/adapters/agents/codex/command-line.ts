import { resolve } from 'node:path';
import type { ConversationChoice } from '../../../core/agent/choice.ts';
import type { PreparedStart } from '../../../ports/agent.ts';
import { optionTable, takesNext } from '../common/option-words.ts';
import { resumesBy } from '../common/resumed-words.ts';
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

const SIGNATURE = { programs: ['codex'], packages: ['@openai/codex'] };

/** A thread id as Codex writes it. */
export const THREAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Takes a command line apart; null when it is not Codex. */
export function codexCommand(argv: readonly string[]): CodexCommand | null {
  const words = argumentsOf(argv, SIGNATURE);
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
    if (!takesNext(flag, OPTIONS)) flags.add(flag);
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

/** Where a Codex process lets its conversation work. */
export function folderOf(command: CodexCommand, cwd: string | undefined): string | undefined {
  if (command.folder === undefined) return cwd;
  return cwd === undefined ? undefined : resolve(cwd, command.folder);
}

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

// Everything but the interactive program and its `resume`, `fork` and `agents`: daemons, one-off runs, tools.
const OTHER_COMMANDS = new Set(
  (
    'exec e review login logout mcp mcp-server plugin app-server remote-control app completion update doctor ' +
    'sandbox debug execpolicy apply a queue archive delete unarchive migrate-rollouts migrate-nfs-db cloud ' +
    'exec-server responses-api-proxy stdio-to-uds features help'
  ).split(' '),
);

/** Whether a command line is the Codex that a person talks to, and not its daemon, its sandbox or one of its tools. */
export function isCodex(argv: readonly string[]): boolean {
  const command = codexCommand(argv);
  if (command === null || command.isPrinting) return false;
  return command.first === undefined || !OTHER_COMMANDS.has(command.first);
}

/** Whether a command line is the daemon, which runs the conversations of all its clients, or belongs to it. */
export function isAppServer(argv: readonly string[]): boolean {
  return codexCommand(argv)?.first === 'app-server';
}

/** How a command line comes to its conversation. */
export function choice(argv: readonly string[], cwd: string | undefined): ConversationChoice | null {
  const command = codexCommand(argv);
  if (command === null) return null;
  if (command.chooses === 'all') return { how: 'open', folder: null };
  const folder = folderOf(command, cwd);
  const place = folder === undefined ? {} : { folder };
  if (command.chooses === 'folder') return { how: 'open', ...place };
  // `agents` is a window on what the daemon runs.
  if (!isCodex(argv) || command.first === 'agents') return null;
  const isOwn = command.resumes !== undefined || command.first === 'fork';
  return { how: isOwn ? 'own' : 'new', ...place };
}

/**
 * Makes a new Codex run its conversations itself. In the shared daemon its tools and hooks carry the pane of the first
 * client, and its turn goes on when its own pane is gone.
 */
export function prepare(argv: readonly string[]): PreparedStart {
  const words = argumentsOf(argv, SIGNATURE);
  const command = codexCommand(argv);
  if (words === null || command === null) return { argv };
  // `agents` is a window on the daemon, and a remote one is elsewhere.
  if (command.isWithoutDaemon || command.isRemote || command.first === 'agents') return { argv };
  return { argv: [...argv.slice(0, argv.length - words.length), '--no-daemon', ...words] };
}

// `codex resume ID PROMPT`: the first two choose a conversation.
function readRest(rest: readonly string[]): { readonly prompt: readonly string[] } {
  const [first, second = ''] = rest;
  if (first !== 'resume' && first !== 'fork') return { prompt: rest };
  return { prompt: rest.slice(THREAD_ID.test(second) ? 2 : 1) };
}

// `codex --help` and `codex resume --help`, 0.166.
const OPTIONS = optionTable({
  kept: {
    nothing:
      '--strict-config --oss --approve-for-me --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust ' +
      '--search --no-alt-screen --no-daemon',
    word:
      '-c --config --enable --disable --remote --remote-auth-token-env -m --model --local-provider -p --profile ' +
      '-s --sandbox -C --cd --add-dir -a --ask-for-approval',
  },
  conversation: { nothing: '--last --all --include-non-interactive' },
  once: { nothing: '--worktree', words: '-i --image' },
});

export const resume = resumesBy({
  signature: SIGNATURE,
  options: OPTIONS,
  words: (id) => ['resume', id],
  read: readRest,
});
