import { words } from '../text/words.ts';
import type { ProgramRole } from '../verdict/evidence.ts';
import { commonName } from './process.ts';

/** What runs in a process, seen through interpreters, for a person and for the rules. */
export interface Program {
  readonly name: string;
  readonly role: ProgramRole;
  readonly agentKind?: string;
}

/** Says which agent a command line is, or null. Supplied by the agent adapters. */
export type RecogniseAgent = (argv: readonly string[]) => string | null;

export const SHELLS: ReadonlySet<string> = new Set(
  words('sh bash dash zsh fish ksh mksh tcsh csh ash nu elvish xonsh pwsh'),
);
const INTERPRETERS: ReadonlySet<string> = new Set(
  words('node nodejs bun deno python ruby perl php lua java Rscript julia tclsh'),
);
// Programs that sit at a terminal for a person: nothing of theirs finishes by itself.
const INTERACTIVE: ReadonlySet<string> = new Set(
  words(
    'vi vim nvim view vimdiff emacs emacsclient nano pico micro hx helix kak joe ne mcedit less more most man info ' +
      'top htop btop atop glances watch mc ranger nnn lf yazi tig lazygit gitui psql mysql sqlite3 redis-cli mongosh ' +
      'ipython irb ghci gdb lldb fzf weechat irssi mutt neomutt newsboat dialog whiptail',
  ),
);
// What they do happens where this machine's process table cannot look.
const REMOTE: ReadonlySet<string> = new Set(
  words(
    'ssh mosh mosh-client telnet et docker podman nerdctl kubectl nsenter lxc incus machinectl tmux screen zellij',
  ),
);
const WRAPPERS: ReadonlySet<string> = new Set(
  words(
    'sudo su doas env nice ionice nohup setsid timeout time stdbuf script direnv npx npm pnpm yarn uvx pipx mise asdf login ' +
      'catchsegv strace unbuffer rlwrap systemd-run caffeinate',
  ),
);

/** Names the program of a process by exact words of its command line; a path that merely contains a word is nothing. */
export function programOf(comm: string, argv: readonly string[], recogniseAgent: RecogniseAgent): Program {
  const agentKind = recogniseAgent(argv);
  if (agentKind !== null) return { name: agentKind, role: 'agent', agentKind };
  const first = argv[0];
  if (first === undefined || first === '') return { name: commonName({ comm }), role: 'command' };
  const name = programName(first);
  if (SHELLS.has(name)) return shell(name, argv);
  if (INTERPRETERS.has(withoutVersion(name))) return interpreter(name, argv);
  if (INTERACTIVE.has(name)) return { name, role: 'interactive' };
  if (REMOTE.has(name)) return { name, role: 'remote' };
  return { name, role: WRAPPERS.has(name) ? 'wrapper' : 'command' };
}

/**
 * The last part of a path, without the dash that marks a login shell. Some programs write a title over their arguments
 * (`npm exec @scope/name`), whose first word is the name; a path may hold spaces, and then nothing is cut off.
 */
export function programName(path: string): string {
  const space = path.indexOf(' ');
  const word = space === -1 ? path : path.slice(0, space);
  const name = word.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : word;
  return name.startsWith('-') ? name.slice(1) : name;
}

/** Whether a program is meant by its name alone, or lies where systems keep theirs: no script of one's own by its path. */
export function isUsual(path: string): boolean {
  return /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?[^/]+$/.test(path);
}

// `sh -c …` and `sh script` run something and end; only a shell without either waits for a person.
function shell(name: string, argv: readonly string[]): Program {
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index] as string;
    if (!/^[-+]/.test(word)) return { name: programName(word), role: 'command' };
    if (/^-[a-zA-Z]*c$|^--commands?(?:=|$)/.test(word)) return { name, role: 'wrapper' };
    if (TAKES_A_VALUE.test(word) || (name === 'fish' && word === '-C')) index += 1;
  }
  return { name, role: 'shell' };
}

// Flags whose value is not a script to run, also at the end of a cluster (`-euo pipefail`).
const TAKES_A_VALUE = /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file|init-command)$/;

// Without a script an interpreter talks to a person; `-` is a script that comes through a pipe.
function interpreter(name: string, argv: readonly string[]): Program {
  const script = argv.slice(1).find((word) => word === '-' || !word.startsWith('-'));
  if (script === undefined) return { name, role: 'interactive' };
  return { name: programName(script) || name, role: 'command' };
}

// `python3.11` is python.
function withoutVersion(name: string): string {
  return /^[A-Za-z]+(?=[\d.]*$)/.exec(name)?.[0] ?? name;
}
