import type { Spec } from './spec.ts';

/** Why a session must stay, and how rollcall may name that. */
export interface Reason {
  /** One of these codes has to be among what a refusal lists. */
  readonly codes: readonly string[];
  /** Whether it stops a person too who asks for this very session, or only what is automatic. */
  readonly stops: 'everybody' | 'automatic';
  /** Memory pressure stands for it. */
  readonly isWaivedUnderPressure?: true;
}

type Case = readonly [holds: boolean, codes: string, stops?: Reason['stops'], isWaived?: true | undefined];

/** Everything that keeps a session from being closed, from what it was made to be. */
export function reasonsOf(spec: Spec): Reason[] {
  const { program, mood, status, care, outcome, role, wish, people, extra, isGrouped, tree } = spec;
  const isPushed = tree === 'clean' || tree === 'worktree';
  const isUnsaved = !isPushed && tree !== 'none';
  const isAccepted = isAcceptedIn(spec);
  // Of plain terminals a completion speaks only for the one that rollcall started.
  const isVouched = program === 'shell' && care === 'run' && isAccepted;
  const isDue = isAccepted && (role === 'soon' || role === 'strict');
  // Files, commits and stashes stay on the disk; under pressure an idle agent goes all the same.
  const isSavedLater = program === 'agent' && isUnsaved;
  const cases: Case[] = [
    [['working', 'waiting', 'background', 'job'].includes(mood), 'at-rest nothing-running'],
    [mood === 'child', 'nothing-outside nothing-running at-rest'],
    [mood === 'drafted', 'nothing-unsent'],
    [program === 'job', 'at-rest nothing-running'],
    [program === 'shell' && !isVouched, 'at-rest finished-or-resumable'],
    [extra === 'work', 'at-rest nothing-running'],
    [people === 'attached', 'attached nobody-there'],
    [people === 'left', 'recent-input nobody-there'],
    [people === 'reading', 'nobody-there'],
    [isGrouped, 'windows-own'],
    // tmux does not say when somebody was in another session of the group.
    [isGrouped, 'recent-input nobody-there windows-own'],
    [wish === 'hold', 'held'],
    [wish === 'pattern', 'human-managed'],
    [wish === 'retain', 'retained rested', 'automatic'],
    [care === 'foreign', 'not-managed', 'automatic'],
    [isUnsaved, 'work-saved', 'automatic', isSavedLater || undefined],
    [extra === 'shell' || extra === 'window', 'finished-or-resumable at-rest', 'automatic'],
    [program === 'dead' && status !== 0 && !isAccepted, 'finished-or-resumable', 'automatic'],
    [outcome === 'done' && !isAccepted, 'contract', 'automatic'],
    // What is kept for a while after its completion is idle like any other where that lacks saved work.
    [isAccepted && !isDue, 'rested retained', 'automatic', isSavedLater || undefined],
    [program === 'agent' && !isAccepted, 'rested', 'automatic', true],
  ];
  return cases.flatMap(([holds, codes, stops = 'everybody', isWaived]) =>
    holds ? [{ codes: codes.split(' '), stops, ...(isWaived && { isWaivedUnderPressure: isWaived }) }] : [],
  );
}

/** What a person's own word is stopped by. */
export function againstPerson(spec: Spec): Reason[] {
  return reasonsOf(spec).filter(({ stops }) => stops === 'everybody');
}

/** The same of a hibernation, which only a living agent of known conversation can have. */
export function againstSleep(spec: Spec): Reason[] {
  const noAgent: Reason = { codes: ['no-agent', 'at-rest'], stops: 'everybody' };
  return spec.program === 'agent' ? againstPerson(spec) : [noAgent, ...againstPerson(spec)];
}

// A role with requirements takes nobody's word for what git does not confirm.
function isAcceptedIn({ outcome, role, tree, care }: Spec): boolean {
  const isBound = role === 'strict' && care !== 'foreign';
  return outcome === 'done' && !(isBound && tree !== 'clean' && tree !== 'worktree');
}

/** What `close --due` is stopped by. */
export function againstSchedule(spec: Spec): Reason[] {
  return reasonsOf(spec);
}

/** What a daemon is stopped by that settles: it takes only what was declared complete. */
export function againstSettling(spec: Spec): Reason[] {
  const isDeclared = isAcceptedIn(spec);
  return isDeclared ? reasonsOf(spec) : [{ codes: ['not-complete'], stops: 'automatic' }, ...reasonsOf(spec)];
}

/** What a reaper under lasting, critical pressure is stopped by. */
export function againstReaper(spec: Spec): Reason[] {
  return reasonsOf(spec).filter(({ isWaivedUnderPressure }) => !isWaivedUnderPressure);
}
