import type { Started } from '../../../ports/actuator.ts';

export type Running = Extract<Started, { state: 'started' }>;

/** What tmux tells of a pane in which something was started; the name last, since it is free text. */
export function startedFormat(nonce: string): string {
  const told = '#{pid},#{session_id},#{session_created},#{pane_id},#{pane_pid}';
  return `${nonce}${told}${nonce}#{session_name}${nonce}`;
}

/** Null where it is not told. */
export function readStarted(output: string, socketPath: string, nonce: string): Running | null {
  const [, facts = '', name = ''] = output.split(nonce);
  const match = /^(\d+),(\$\d+),(\d+),(%\d+),(-?\d+)$/.exec(facts);
  if (match === null) return null;
  const [, serverPid, sessionId = '', createdAtSeconds, paneId = '', pid] = match;
  return {
    state: 'started',
    server: { socketPath, pid: Number(serverPid) },
    sessionId,
    createdAtSeconds: Number(createdAtSeconds),
    name,
    paneId,
    pid: Number(pid),
  };
}
