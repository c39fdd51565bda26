import { processKey } from '../sight/identity.ts';
import { RUN_BY_SERVER } from '../sight/server-jobs.ts';
import type { NamedProcess, ProcessNote, TerminalUser } from '../verdict/evidence.ts';
import type { ClosingPane } from './closing-pane.ts';

/** What a close means for one process: a signal where it does not end by itself, only the end of its terminal, or nothing. */
export const FATES = ['end', 'hang-up', 'keep'] as const;

/** One process of a session that is to be closed, named before anything is done. */
export interface ListedProcess extends NamedProcess {
  readonly paneId: string;
  readonly what: (typeof FATES)[number];
  /** Why it gets no signal although it is tied to the session; null where there is no such reason. */
  readonly why: string | null;
}

/** Every process of a session and what a close means for it. A close signals nothing that is not `end` in such a list. */
export function listing(
  panes: readonly ClosingPane[],
  { isForced }: { readonly isForced: boolean },
): ListedProcess[] {
  const listed = panes.flatMap((pane) => [
    ...pane.terminalUsers.map((user) => listedUser(user, pane)),
    ...pane.processes.map((note): ListedProcess => {
      const said = saidOf(note, pane);
      if (pane.isShared) return { ...said, what: 'keep', why: LIVES_ON };
      const spared = note.relation === 'outside' ? 'keep' : 'hang-up';
      if (note.kept !== undefined) return { ...said, what: spared, why: note.kept };
      const mayEnd = isForced || isOwn(note, pane);
      return { ...said, what: mayEnd ? 'end' : spared, why: null };
    }),
  ]);
  return [...new Map(listed.map((one) => [processKey(one), one])).values()];
}

const LIVES_ON = 'its window lives on in another session';

// It may be anybody's work: it loses the terminal that it prints to, and gets no signal.
function listedUser(user: TerminalUser, pane: ClosingPane): ListedProcess {
  const said = saidOf(user, pane);
  if (pane.isShared) return { ...said, what: 'keep', why: LIVES_ON };
  const why = user.isJob ? RUN_BY_SERVER : 'only its terminal ties it to the session';
  return { ...said, what: 'hang-up', why };
}

function saidOf(
  { pid, startTicks, program, command }: NamedProcess,
  { paneId }: ClosingPane,
): Omit<ListedProcess, 'what' | 'why'> {
  return { pid, startTicks, program, command, paneId };
}

// Without force only an agent, what launched it and what it keeps for itself are ever signalled.
function isOwn(note: ProcessNote, { agent, launchers }: ClosingPane): boolean {
  return note === agent || launchers.includes(note) || note.helper !== undefined;
}
