import { lineageOf } from '../sight/lineage.ts';
import type { ProcessNote } from './evidence.ts';
import type { PaneFacts } from './facts.ts';

/** The live process whose word was heard; a word without one was left behind by a process that is gone. */
export function speakerOf({ word, processes }: PaneFacts): ProcessNote | undefined {
  return processes?.processes.find((note) => note.role === 'agent' && note.pid === word?.agentPid);
}

/**
 * Tells for each process of a pane whether the agent's word covers it: the agent itself, launchers of its kind above it,
 * and what it started. Not covered are another agent, an editor that holds text of its own, and what is stopped, which
 * may have been stopped after it spoke.
 */
export function spokenFor(facts: PaneFacts): (note: ProcessNote) => boolean {
  const lineage = lineageOf(facts.processes?.processes ?? []);
  const speaker = speakerOf(facts);
  if (!speaker) return () => false;
  const [below, above] = [lineage.below([speaker]), lineage.above([speaker])];
  const isLauncher = (note: ProcessNote) =>
    note.role === 'agent' && note.agentKind === speaker.agentKind && above.has(note);
  return (note) =>
    note.relation !== 'stopped' &&
    note.role !== 'interactive' &&
    (note === speaker || below.has(note) || isLauncher(note));
}
