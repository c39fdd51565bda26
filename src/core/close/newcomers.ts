import { lineageOf } from '../sight/lineage.ts';
import type { ProcessNote } from '../verdict/evidence.ts';
import { type ClosingPane, running } from './closing-pane.ts';

/**
 * What began in the panes of a session after its processes were listed: nobody was told that it would end. What a listed
 * program starts on its way is that program's; what a shell starts is not.
 */
export function newcomers(
  panes: readonly ClosingPane[],
  isListed: (mark: { readonly pid: number; readonly startTicks: number }) => boolean,
): ProcessNote[] {
  return panes
    .filter(({ isShared }) => !isShared)
    .flatMap((pane) => {
      const all = running(pane);
      const theirs = lineageOf(pane.processes).below(all.filter(isListed));
      return all.filter((note) => !isListed(note) && !theirs.has(note));
    });
}

/** What left the tree of its pane after the processes were listed: a hook that saves on the way out. */
export function bornSince(
  panes: readonly ClosingPane[],
  isListed: (mark: { readonly pid: number; readonly startTicks: number }) => boolean,
): ProcessNote[] {
  return panes
    .filter(({ isShared }) => !isShared)
    .flatMap(({ processes }) =>
      processes.filter((note) => note.relation === 'outside' && !note.isKeeper && !isListed(note)),
    );
}
