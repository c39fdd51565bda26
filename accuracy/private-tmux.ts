import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A tmux server of its own: own socket folder, own environment, no configuration of the user. */
export interface PrivateTmux {
  readonly socketPath: string;
  run(...argv: string[]): string;
  /** The screen of a session's pane as plain text, and its title; empty strings once it is gone. */
  see(session: string): Promise<{ readonly screen: string; readonly title: string }>;
  stop(): void;
}

const LABEL = 'accuracy';

export function startTmux(folder: string, env: NodeJS.ProcessEnv): PrivateTmux {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const base = ['-L', LABEL, '-f', '/dev/null'];
  const options = { env: { ...env, TMUX_TMPDIR: folder }, encoding: 'utf8', timeout: 20_000 } as const;
  const run = (...argv: string[]) =>
    execFileSync('tmux', [...base, ...argv], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  run('new-session', '-d', '-s', 'keep', 'exec sleep 1000000');
  run('set-option', '-g', 'default-terminal', 'tmux-256color');
  return {
    socketPath: join(folder, `tmux-${process.getuid?.() ?? 0}`, LABEL),
    run,
    see: (session) =>
      new Promise((resolve) => {
        const target = `=${session}:`;
        const argv = [
          'display-message',
          '-p',
          '-t',
          target,
          '#{pane_title}',
          ';',
          'capture-pane',
          '-p',
          '-t',
          target,
        ];
        execFile('tmux', [...base, ...argv], options, (error, text) => {
          const [title = '', ...screen] = error ? [] : text.split('\n');
          resolve({ title, screen: screen.join('\n') });
        });
      }),
    stop() {
      try {
        run('kill-server');
      } catch {
        // Already gone.
      }
    },
  };
}
