import type { ConversationChoice } from '../agent/choice.ts';

/** A process that may be at the conversation of a session that is gone. */
export interface Sighted {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The run that it bears the mark of; null where it bears none, cannot be read, or is in a session that shows it. */
  readonly run: string | null;
  /** The conversation that it says it has; null where it says none. */
  readonly conversation: string | null;
}

/**
 * Who outlived a session, or was started on its conversation by somebody else: whoever bears the mark of one of its runs,
 * says that it has the conversation, or has its id among its arguments.
 */
export function outlivedBy(
  all: readonly Sighted[],
  { runs, conversation }: { readonly runs: ReadonlySet<string>; readonly conversation: string | null },
): readonly Sighted[] {
  const names = (word: string) =>
    conversation !== null && (word === conversation || (word.startsWith('-') && word.endsWith(conversation)));
  return all.filter((one) => {
    const isSaid = conversation !== null && one.conversation === conversation;
    return isSaid || (one.run !== null && runs.has(one.run)) || one.argv.some(names);
  });
}

/** An agent of the same kind in the folder of a conversation. */
export interface Silent {
  readonly pid: number;
  readonly how: ConversationChoice['how'];
  /** The conversation that it says it has; null where it says none. */
  readonly conversation: string | null;
  /** The run that it bears the mark of; null where it bears none. */
  readonly run: string | null;
  /** It talks to a person, and says sooner or later what about. */
  readonly isTalking: boolean;
  readonly ageMs: number;
  /** It could not be asked. */
  readonly isUnasked: boolean;
}

/** Within it an agent that runs has said which conversation it is in. Claude Code 2.1.325 took 15 s without a network. */
const SPEAKS_WITHIN_MS = 60_000;

/**
 * Who may be in any conversation of its folder, because nobody can tell yet which. What takes up a conversation by itself may
 * name another one at first; so its word counts after a minute, and until it says one it may be in any. Of one that names
 * none on its command line, and has not spoken, nobody knows for a minute what it is; but whatever rollcall starts like that
 * begins anew. One that could not be asked may have gone on to any. `isYoung`: it only has to be waited for.
 */
export function silentIn(
  all: readonly Silent[],
): readonly { readonly pid: number; readonly isYoung: boolean }[] {
  return all.flatMap(({ pid, how, conversation, run, isTalking, ageMs, isUnasked }) => {
    const isYoung = ageMs < SPEAKS_WITHIN_MS;
    const isSilent = conversation === null;
    const isUnknown =
      how === 'open'
        ? isYoung || isSilent
        : how === 'new' && isYoung && isSilent && isTalking && run === null;
    return isUnknown || isUnasked ? [{ pid, isYoung }] : [];
  });
}
