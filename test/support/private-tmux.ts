import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from './remove-folder.ts';
import { scriptedProgramIn } from './scripted-agent.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** A tmux server of a test's own: unique socket folder and label, no config, gone with `stop()`. */
export class PrivateTmux {
  readonly folder: string;
  readonly label: string;
  #serverPid = 0;

  constructor(label = 'private', folder?: string) {
    this.folder = folder ?? mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 't-'));
    this.label = label;
  }

  get socketPath(): string {
    return join(this.folder, `tmux-${process.getuid?.() ?? 0}`, this.label);
  }

  /** Environment in which rollcall sees this server, none of another folder, and its scripted agents. */
  get env(): NodeJS.ProcessEnv {
    const own = { TMUX_TMPDIR: this.folder, ROLLCALL_SOCKETS_WITHIN: this.folder, LC_ALL: 'C.UTF-8' };
    return { ...process.env, ...own, ROLLCALL_SCRIPTED_AGENT: scriptedProgramIn(this.folder) };
  }

  /** Runs one tmux command on this server and returns what it printed. */
  async tmux(...args: string[]): Promise<string> {
    this.#wake();
    // What a pane runs sees all servers, as a user's own does.
    const env = { ...this.env, ROLLCALL_SOCKETS_WITHIN: undefined };
    const { stdout } = await run('tmux', ['-u', '-L', this.label, '-f', '/dev/null', ...args], { env });
    return stdout.trimEnd();
  }

  /** Starts a detached session of a fixed size; without a command tmux starts a bash that reads no profile. */
  async session(
    name: string,
    ...command: string[]
  ): Promise<{ sessionId: string; paneId: string; pid: number }> {
    const argv = command.length > 0 ? command : BARE_SHELL;
    const printed = await this.tmux(
      ...['new-session', '-d', '-x', '120', '-y', '30', '-c', this.folder, '-P'],
      ...['-F', '#{session_id} #{pane_id} #{pane_pid} #{pid}', '-s', name, ...argv],
    );
    const [sessionId = '', paneId = '', pid = '0', serverPid = '0'] = printed.split(' ');
    this.#serverPid = Number(serverPid);
    // Until then it is still tmux, or env; tmux in a pane passes for a program that shows work elsewhere.
    await until(`${name} has its program`, () =>
      command.length === 0 ? isBash(Number(pid)) : isPast(Number(pid), this.#serverPid),
    );
    return { sessionId, paneId, pid: Number(pid) };
  }

  /** Waits until the server knows how the program of a dead pane ended. */
  async exitStatus(name: string): Promise<string> {
    return until(`${name} has an exit status`, () =>
      this.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_dead_status}'),
    );
  }

  // Before 3.6 it may miss the end of a program until it is woken, and whoever waits for that would wait for ever.
  #wake(): void {
    this.#signalServer('SIGCHLD');
  }

  /** Whether it was there; it may leave at that very moment. */
  #signalServer(signal: NodeJS.Signals): boolean {
    if (!this.#isServerAlive()) return false;
    try {
      process.kill(this.#serverPid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    return true;
  }

  /** The server's pid, known once a session was started. */
  get serverPid(): number {
    return this.#serverPid;
  }

  /** Ends the server as a test's act and waits until it is gone: kill-server answers before that. */
  async killServer(): Promise<void> {
    const pid = Number(await this.tmux('display-message', '-p', '#{pid}'));
    await this.tmux('kill-server');
    await until(`server ${pid} is gone`, () => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
      } catch {
        return true;
      }
    });
  }

  /**
   * Ends this server, and only this one. One that is killed takes its terminals with it as one that leaves does, and nobody has
   * to wait for it. Only where another than the known one may be there, it is asked to leave.
   */
  stop(): void {
    if (!this.#signalServer('SIGKILL') && existsSync(this.socketPath)) this.#askToLeave();
    this.#endStrays();
    removeFolder(this.folder);
  }

  #askToLeave(): void {
    try {
      execFileSync('tmux', ['-S', this.socketPath, 'kill-server'], { timeout: 5000, stdio: 'ignore' });
    } catch {
      // Nobody listens there any more.
    }
  }

  /**
   * What ran in its panes, and what outlived them because a test killed its parent: it carries the folder of this server in its environment. Another
   * stray is a server that rollcall started here and that did not hear the end of its last program: its command line names the socket.
   */
  #endStrays(): void {
    const mark = `TMUX=${this.socketPath},`;
    const server = `tmux\0-u\0-S\0${this.socketPath}\0`;
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid) || pid === process.pid) continue;
      try {
        const isStray =
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark) ||
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(server);
        if (isStray) process.kill(pid, 'SIGKILL');
      } catch {
        // Gone, or not ours.
      }
    }
  }

  #isServerAlive(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.#serverPid}/stat`, 'utf8');
      const args = readFileSync(`/proc/${this.#serverPid}/cmdline`, 'utf8');
      return stat.includes('(tmux: server)') && args.includes(this.folder);
    } catch {
      return false;
    }
  }
}

function isBash(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('bash\0');
}

/** Whether a process of a pane is no longer the copy of the server that it begins as. It may have ended since. */
function isPast(pid: number, serverPid: number): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== readFileSync(`/proc/${serverPid}/cmdline`, 'utf8')
    );
  } catch {
    return true;
  }
}

/** Stands at a prompt that everybody knows, and keeps no history. */
const BARE_SHELL = ['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'];
