import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What each session of a crowd runs: a program named like an agent under a shell, a command that prints nothing, or a shell at its prompt. */
export type CrowdKind = 'agents' | 'silent' | 'shells';

/** A private tmux server with many sessions. */
export interface Crowd {
  readonly socketPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly serverPid: number;
  stop(): void;
}

/** Starts `size` sessions in as few calls as possible and waits until every program runs. */
export function startCrowd(size: number, kind: CrowdKind = 'agents'): Crowd {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TMUX_TMPDIR: folder,
    ROLLCALL_SOCKETS_WITHIN: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    LC_ALL: 'C.UTF-8',
  };
  delete env.TMUX;
  delete env.TMUX_PANE;
  // A program that does nothing under an agent's name: what is measured is the looking, not the agent.
  const agent = join(folder, 'claude');
  copyFileSync('/bin/sleep', agent);
  // The prompt of a shell, and what it starts, are the same on every machine.
  const programs: Readonly<Record<CrowdKind, string>> = {
    agents: `sh -c '${agent} 100000; :'`,
    silent: '/bin/sleep 100000',
    shells: 'env PS1=$ sh -i',
  };
  const program = programs[kind];
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', 'crowd', '-f', '/dev/null', ...argv], { env, encoding: 'utf8' }).trim();
  const commands = Array.from({ length: size }, (_, index) => {
    return `new-session -d -s agent-${index} -x 100 -y 30 "${program}"`;
  });
  writeFileSync(join(folder, 'crowd.conf'), `${commands.slice(1).join('\n')}\n`);
  tmux('new-session', '-d', '-s', 'agent-0', '-x', '100', '-y', '30', program);
  if (size > 1) tmux('source-file', join(folder, 'crowd.conf'));
  const serverPid = Number(tmux('display-message', '-p', '#{pid}'));
  if (kind === 'agents') waitForPrograms(agent, size);
  return {
    socketPath: join(folder, `tmux-${process.getuid?.() ?? 0}`, 'crowd'),
    env,
    serverPid,
    stop() {
      tmux('kill-server');
      // Thousands of terminals that go would be news for the next daemon.
      while (existsSync(`/proc/${serverPid}/exe`)) pauseSync(50);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function waitForPrograms(agent: string, size: number): void {
  const deadline = Date.now() + 60_000;
  const count = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith(`${agent} `)).length;
  while (count() < size) {
    if (Date.now() > deadline) throw new Error(`only ${count()} of ${size} programs started within a minute`);
  }
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
