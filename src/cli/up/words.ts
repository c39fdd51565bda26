import { visible } from '../../core/text/visible.ts';
import type { DaemonNote, DaemonSighting } from '../../ports/daemon.ts';
import { age } from '../render/amounts.ts';

/** How to reach it, a line each. */
export function addressLines({
  url,
  socket,
  tokenFile,
}: Pick<DaemonNote, 'url' | 'socket' | 'tokenFile'>): string {
  const rows = [
    ['url', url],
    ['token', tokenFile],
    ['socket', socket],
  ] as const;
  return rows
    .map(([name, value]) => (value === null ? '' : `  ${name.padEnd(7)}${visible(value)}\n`))
    .join('');
}

/** One line that says that a daemon runs, and how to reach it. */
export function runsAlready(seen: DaemonSighting, now: number): string {
  if (seen.state !== 'running') return 'a daemon runs already\n';
  const { pid, since, note } = seen;
  const how = note === null ? '' : addressLines(note);
  return `a daemon runs already (pid ${pid}, started ${age(since, now)})\n${how}`;
}
