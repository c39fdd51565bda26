import type { Farewell } from '../../core/memory/recollection.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import type { Problem } from '../../core/sight/roll.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import { spoken } from '../../core/text/duration.ts';
import { visible } from '../../core/text/visible.ts';

const NAMES_SHOWN = 8;

/** Nothing can be seen without tmux. */
export const TMUX_MISSING: Problem = {
  code: 'tmux-missing',
  text: 'tmux is not installed, or not on PATH',
  hint: 'install it: apt-get install tmux, dnf install tmux, or brew install tmux',
};

/** What a person should know beside the sessions themselves. */
export function problemsOf(
  servers: readonly ServerSighting[],
  table: ProcessTable,
  farewells: readonly Farewell[],
  at: number,
): Problem[] {
  return [
    ...servers.flatMap((server) => (server.state === 'failed' ? [unanswered(server)] : [])),
    ...(table.isComplete ? [] : [hidden(table)]),
    ...farewells.map((one) => goodbye(one, at)),
  ];
}

function unanswered(server: Extract<ServerSighting, { state: 'failed' }>): Problem {
  const hint =
    server.failure === 'stopped'
      ? `kill -CONT ${server.pid} wakes it`
      : 'its sessions are unknown, not gone; nothing is done to them';
  const { failure, text, socketPath } = server;
  return { code: `server-${failure}`, text: visible(text), hint, socketPath };
}

function hidden(table: ProcessTable): Problem {
  return {
    code: 'processes-hidden',
    text: table.problem ?? 'not all processes can be seen',
    hint: 'what cannot be seen is unknown, and never closable',
  };
}

function goodbye({ cause, socketPath, names, lastSeenAt }: Farewell, at: number): Problem {
  const first = names.slice(0, NAMES_SHOWN).map((name) => visible(name, 60));
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const why =
    cause === 'host-restarted' ? 'the machine restarted' : `the tmux server at ${visible(socketPath)} ended`;
  const count = names.length === 1 ? '1 session is' : `${names.length} sessions are`;
  const seen = `last seen ${spoken(Math.max(0, at - lastSeenAt))} ago`;
  return { code: cause, text: `${why}: ${count} gone, ${seen}: ${first.join(', ')}${more}`, socketPath };
}
