import { paneNamedIn, serverNamedIn } from '../../core/sight/marks.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Asker } from '../../engine/look/look.ts';
import { badRequest, HttpProblem } from '../http/problem.ts';
import type { RequestCall } from './call.ts';
import type { Context } from './context.ts';

interface Asking {
  readonly options: { readonly asker?: Asker };
  /** Tell whoever asked which view the answer is for. */
  readonly headers: Readonly<Record<string, string>>;
  /** Refuses an answer that is not what whoever asks would see. */
  check(roll: Roll): void;
}

/** For whom the daemon looks: a command that would look itself, and would have to see the same. */
export function askerIn({ headers }: RequestCall, { view }: Pick<Context, 'view'>): Asking {
  const { 'rollcall-view': theirs, 'rollcall-asker': written } = headers;
  if (theirs === undefined) return { options: {}, headers: {}, check: () => {} };
  if (theirs !== view) throw otherView(differs(String(theirs), view));
  const { pid, ...env } = read(written);
  const around = serverNamedIn(env);
  return {
    options: { asker: { pid, pane: paneNamedIn(env) } },
    headers: { 'Rollcall-View': view },
    check(roll) {
      // A server that only whoever runs in it can find.
      if (around === null || roll.servers.some(({ pid: server }) => server === around)) return;
      throw otherView('the daemon does not see the tmux server that this command runs in');
    },
  };
}

function read(written: string | string[] | undefined): {
  readonly pid: number;
  TMUX?: string;
  TMUX_PANE?: string;
} {
  try {
    const { pid, TMUX, TMUX_PANE } = JSON.parse(decodeURIComponent(String(written))) as Record<
      string,
      unknown
    >;
    if (!Number.isSafeInteger(pid)) throw new TypeError('no pid');
    return {
      pid: pid as number,
      ...(typeof TMUX === 'string' && { TMUX }),
      ...(typeof TMUX_PANE === 'string' && { TMUX_PANE }),
    };
  } catch {
    throw badRequest('rollcall-asker', 'Rollcall-Asker does not say who asks');
  }
}

function differs(theirs: string, own: string): string {
  const versions = [theirs, own].map((view) => view.slice(0, view.lastIndexOf('/')));
  return versions[0] === versions[1]
    ? 'the daemon has other settings, another environment or another view of the machine'
    : `the daemon is version ${versions[1]}`;
}

function otherView(text: string): HttpProblem {
  return new HttpProblem(412, 'other-view', text, { hint: 'look without it' });
}
