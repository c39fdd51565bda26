import { spawnSync } from 'node:child_process';

/** How it ended: how many agents hang on a session, and how many processes were started to find out. */
export interface Found {
  readonly attributed: number;
  readonly forks: number;
}

/**
 * The usual way to tie agents to sessions: a fork of tmux for every session, then a fork of `ps` for every ancestor of
 * every agent until the tmux server is reached.
 */
export function forkPerSession(socketPath: string, serverPid: number): Found {
  let forks = 0;
  const run = (file: string, ...argv: string[]): string => {
    forks += 1;
    // Nothing where a process has ended meanwhile.
    return spawnSync(file, argv, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout;
  };
  const sessions = run('tmux', '-S', socketPath, 'list-sessions', '-F', '#{session_name}').trim().split('\n');
  const panePids = new Set(
    sessions.map((name) =>
      Number(run('tmux', '-S', socketPath, 'list-panes', '-t', `=${name}`, '-F', '#{pane_pid}')),
    ),
  );
  const agents = run('ps', '-eo', 'pid,ppid,comm')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , comm]) => comm === 'claude');
  let attributed = 0;
  for (const [pid] of agents) {
    let current = Number(pid);
    let isOurs = false;
    while (current > 1 && current !== serverPid) {
      if (panePids.has(current)) isOurs = true;
      current = Number(run('ps', '-p', String(current), '-o', 'ppid='));
    }
    if (isOurs) attributed += 1;
  }
  return { attributed, forks };
}
