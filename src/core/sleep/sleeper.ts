import { shownCommand } from '../text/mask-secrets.ts';
import { visible } from '../text/visible.ts';

/** The name by which a sleeper is seen among processes; behind it stands the receipt that it waits for. */
export const SLEEPER = 'rollcall-sleeper';

/** What a sleeper tells. */
export interface SleeperSign {
  readonly receipt: string;
  readonly session: string;
  readonly kind: string;
  readonly conversation: string | null;
  /** When it fell asleep, as a person reads it. */
  readonly since: string;
  readonly cwd: string;
  /** Memory that came back, as a person reads it; null where that is not known. */
  readonly freed: string | null;
  /** The command line that brings the conversation back without rollcall. */
  readonly resume: readonly string[] | null;
  /** Why it is still asleep, where it was to wake. */
  readonly trouble?: string;
}

const LENGTH = 200;

/**
 * Shows what sleeps and wakes it on Enter. Only what every POSIX sh has, so that it needs neither a daemon nor the rollcall
 * that started it: where that is gone, another one on the PATH is asked. It takes no other key, and no text.
 *
 * $1 the receipt, $2 what it shows, $3 how to go on by hand, $4 and $5 Node.js and rollcall.
 */
const SCRIPT = `trap '' INT QUIT TSTP
printf '%s\\n' "$2"
while :; do
  printf '\\n  Press Enter to wake it. '
  if read -r _; then
    printf '  Waking it.\\n'
    if [ -x "$4" ] && [ -f "$5" ]; then "$4" "$5" wake "$1"; else rollcall wake "$1"; fi ||
      printf '\\n  It still sleeps. By hand: %s\\n' "$3"
  else
    [ -t 0 ] || exit 0
  fi
done`;

/** The command line of a sleeper; no word of it is secret. */
export function sleeperWords(sign: SleeperSign, [node = '', program = '']: readonly string[]): string[] {
  return ['/bin/sh', '-c', SCRIPT, SLEEPER, sign.receipt, shownBy(sign), byHand(sign), node, program];
}

/** The receipt that a sleeper waits for, by its command line; null where that is another program. */
export function sleptFrom(words: readonly string[]): string | null {
  return words[3] === SLEEPER ? (words[4] ?? null) : null;
}

function shownBy({ receipt, session, kind, conversation, since, cwd, freed, trouble }: SleeperSign): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ['session', session],
    ['conversation', conversation],
    ['since', since],
    ['gave back', freed],
    ['folder', cwd],
    ['receipt', receipt],
    ['did not wake', trouble ?? null],
  ];
  const told = rows.flatMap(([name, text]) =>
    text === null ? [] : [`  ${name.padEnd(14)}${visible(text, LENGTH)}`],
  );
  return ['', `  ${visible(kind, LENGTH)} sleeps here.`, '', ...told].join('\n');
}

function byHand({ cwd, resume }: SleeperSign): string {
  const words = resume === null ? 'not known' : shownCommand(resume, 4096);
  return `${shownCommand(['cd', cwd], 4096)} && ${words}`;
}
