import type { AgentWord, PaneFacts } from '../verdict/facts.ts';
import { speakerOf } from '../verdict/speaker.ts';
import { check, met, unknown, unmet } from './check.ts';

/** No draft, paste or half-typed command stands in any pane. */
export const nothingUnsent = check('nothing-unsent', ({ facts }) => {
  const drafts = facts.panes.map(draft);
  if (drafts.includes('present')) return unmet('text stands in the input that was not sent');
  const [entered] = facts.panes.flatMap(enteredIn);
  if (entered !== undefined) return unmet(entered);
  if (drafts.length > 0 && drafts.every((state) => state === 'none'))
    return met('nothing unsent stands in any input');
  const doubt = facts.panes.find(({ screen }) => screen?.promptDoubt !== undefined)?.screen?.promptDoubt;
  const why = doubt === undefined ? '' : `: ${doubt}`;
  return unknown(`whether something unsent stands in the input cannot be told${why}`);
});

// What no screen shows may stand there all the same: typed with echo off, or put aside by the line editor.
function enteredIn({ pane, history }: PaneFacts): string[] {
  return pane?.isDead || pane?.asleep || history?.entered === undefined ? [] : [history.entered];
}

// The agent knows its own input box; once it is gone, what it last said of it is not about the shell's prompt.
function draft(facts: PaneFacts): 'none' | 'present' | 'unknown' {
  if (facts.unavailable.some((piece) => piece.source === 'screen')) return 'unknown';
  // A sleeper takes no text.
  if (facts.pane?.isDead || facts.pane?.asleep) return 'none';
  const { screen, word } = facts;
  const isEmpty = word && speakerOf(facts) ? isInputEmpty(word) : (screen?.isPromptEmpty ?? null);
  if (isEmpty === null) return 'unknown';
  return isEmpty ? 'none' : 'present';
}

// An input box that is not ready to take a prompt may hide a draft behind what covers it.
function isInputEmpty({ hasDraft, isReady }: AgentWord): boolean | null {
  if (hasDraft === null) return null;
  return hasDraft ? false : isReady || null;
}
