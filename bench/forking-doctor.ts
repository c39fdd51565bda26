import { spawnSync } from 'node:child_process';

/** What the usual doctor would have said, and how many processes it started to say so. */
export interface ForkingDoctor {
  readonly agents: number;
  /** Pids of parents of agents that it would have ended. */
  readonly orphanedBy: readonly number[];
  readonly forks: number;
}

/**
 * The usual doctor: asks the one tmux server that it knows for its sessions and, session by session, for its panes; then
 * takes every process with an agent's name and starts `ps` for each of its ancestors, until one is tmux or a pane. An agent
 * that gets to process 1 that way is an orphan to it.
 */
export function forkingDoctor(socketPath: string): ForkingDoctor {
  let forks = 0;
  const run = (file: string, ...argv: string[]): string => {
    forks += 1;
    // Nothing where a process has ended meanwhile.
    return spawnSync(file, argv, { encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout.trim();
  };
  const tmux = (...argv: string[]) => run('tmux', '-S', socketPath, ...argv).split('\n');
  const kept = new Set(tmux('display-message', '-p', '#{pid}').map(Number));
  for (const name of tmux('list-sessions', '-F', '#{session_name}')) {
    for (const pid of tmux('list-panes', '-s', '-t', `=${name}`, '-F', '#{pane_pid}')) kept.add(Number(pid));
  }
  const agents = run('ps', '-eo', 'pid=,ppid=,comm=')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , comm]) => comm === 'claude');
  const isKept = (pid: number): boolean =>
    kept.has(pid) || (pid > 1 && isKept(Number(run('ps', '-p', String(pid), '-o', 'ppid='))));
  const orphanedBy = agents.map(([, parent]) => Number(parent)).filter((parent) => !isKept(parent));
  return { agents: agents.length, orphanedBy, forks };
}
