import { helperNamed } from '../sight/helper-kind.ts';
import type { Process } from '../sight/process.ts';
import { programName } from '../sight/program.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Programs that serve a whole login, or hold a person's terminals and windows, whoever started them. Terminals are also known
 * by what they have open. Neither they nor anything below them is a leftover of the pane that they were started from, although
 * they bear its mark. As the kernel names them: with 15 characters at most.
 */
const KEEPERS = words(
  // Terminals, and what keeps them.
  'screen SCREEN zellij dtach abduco mosh-server sshd sshd-session xterm uxterm kitty alacritty wezterm-gui foot ' +
    'konsole gnome-terminal- gnome-terminal xfce4-terminal terminator tilix ttyd gotty ' +
    // Keys, buses, sound, containers, package and build daemons.
    'ssh-agent gpg-agent keyboxd dirmngr scdaemon dbus-daemon dbus-broker gnome-keyring-d pulseaudio pipewire ' +
    'dockerd containerd containerd-shim conmon rootlessport podman watchman adb sccache ccache bazel ' +
    // Windows of a person's.
    'code code-insiders codium code-server cursor zed zed-editor subl emacs idea pycharm webstorm goland nautilus ' +
    'thunar dolphin',
);

/**
 * Keepers that are daemons by nature: they are started by whoever needs them first, leave at once, and serve everybody from
 * then on. None of them does the work of a session. What builds for a session, or shows it, is not among them.
 */
const DAEMONS = words(
  'ssh-agent gpg-agent keyboxd dirmngr scdaemon dbus-daemon dbus-broker gnome-keyring-d pulseaudio pipewire ' +
    'dockerd containerd watchman adb',
);

/** Main classes of the servers that builds leave for the next build. */
const BUILD_SERVERS = words(
  'org.gradle.launcher.daemon.bootstrap.GradleDaemon org.jetbrains.kotlin.daemon.KotlinCompileDaemon',
);

/** Where a machine keeps its programs. What lies elsewhere may be anybody's, whatever it is called. */
const SYSTEM_FOLDERS = ['/usr/', '/bin/', '/sbin/', '/opt/', '/nix/store/', '/gnu/store/'];

/** As the kernel cuts the names of processes. */
const NAME_LENGTH = 15;

/** What a process shows of being a daemon, besides its name. */
export interface DaemonSigns {
  /** The program that it really runs; null where that cannot be read. */
  readonly executable: string | null;
  /** It has a terminal open, either side of one; null where that cannot be read. */
  readonly hasTerminal: boolean | null;
  /** Others can connect to it. */
  readonly isListening: boolean;
}

type Seen = Pick<Process, 'pid' | 'ppid' | 'sid' | 'ttyNumber' | 'comm'>;
type Parent = Pick<Process, 'ppid' | 'comm'> | undefined;

/** Whether a process may be such a daemon: by its name, without a terminal, and left by who started it. Costs nothing. */
export function mayBeDaemon(process: Seen, parent: Parent): boolean {
  return DAEMONS.has(process.comm) && isLeft(process, parent);
}

/**
 * Whether it may be a server for language or builds that was left, by its command line. Such a one works only while somebody
 * asks it, and whoever asks from a session is in that session's own tree. The same program may also do one piece of work and
 * end (`rust-analyzer scip .`), so it has to serve as well.
 */
export function mayBeServer(process: Seen, parent: Parent, argv: readonly string[]): boolean {
  if (!isLeft(process, parent)) return false;
  const [program = ''] = argv;
  const isBuild = programName(program) === 'java' && argv.some((word) => BUILD_SERVERS.has(word));
  return isBuild || program.startsWith('bazel(') || helperNamed(argv) === 'language server';
}

function isLeft({ pid, ppid, sid, ttyNumber }: Seen, parent: Parent): boolean {
  const isAlone = sid === pid || ppid === 1 || (parent?.comm === 'systemd' && parent.ppid === 1);
  return isAlone && ttyNumber === 0;
}

/** Whether it serves others: whoever cannot be connected to works for who started it, whatever its name is (`adb shell …`). */
export function serves({ hasTerminal, isListening }: DaemonSigns): boolean {
  return isListening && hasTerminal === false;
}

/** Whether it is such a daemon: a name proves nothing, so its program has to be the machine's own of that name, and serve. */
export function isDaemon({ comm }: Pick<Process, 'comm'>, signs: DaemonSigns): boolean {
  const { executable } = signs;
  if (executable === null || !serves(signs)) return false;
  const name = executable.slice(executable.lastIndexOf('/') + 1);
  return (
    name.slice(0, NAME_LENGTH) === comm && SYSTEM_FOLDERS.some((folder) => executable.startsWith(folder))
  );
}

/** Whether a program keeps what others use, by its exact name. */
export function isKeeper(name: string): boolean {
  return KEEPERS.has(name);
}
