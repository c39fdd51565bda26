import type { ResumeOf } from '../agent/resumption.ts';
import { type Start, wordsOf } from '../sight/start.ts';
import type { StartedBody } from './bodies.ts';
import type { Reopening } from './reopening.ts';

/**
 * How a session that rollcall started and that left no archive is made again: by what it was started with, or by its
 * conversation where that was chosen at the start. The ledger has no values of variables, and words that look like secrets
 * are masked in it: both are in the start that was kept, as long as that is there.
 */
export function reopeningOfStart(
  session: { readonly key: string; readonly name: string },
  body: StartedBody,
  resumeOf: ResumeOf,
  start: Start | null = null,
): Reopening | null {
  const cwd = start?.cwd ?? body.cwd;
  const argv = start === null ? body.argv : wordsOf(start);
  if (cwd === null || argv === null) return null;
  const { kind, conversation } = body.agent ?? { kind: null, conversation: null };
  const isWhole = start !== null || body.isWhole;
  // Words that were cut or masked would start something else.
  const starts = isWhole ? [{ argv, cwd }] : [];
  const resumed = kind === null ? null : resumeOf(kind, conversation, starts);
  if (!isWhole && (resumed === null || conversation === null)) return null;
  const env = start?.env ?? {};
  const unknown = start === null ? (body.env ?? []) : [];
  const isNew = kind !== null && (conversation === null || resumed === null);
  return {
    key: session.key,
    name: session.name,
    cwd,
    env,
    given: env,
    windows: [],
    size: null,
    folders: [cwd],
    isClean: start?.isClean ?? false,
    remain: start?.remain ?? false,
    socketPath: body.server?.socketPath ?? null,
    argv: resumed?.argv ?? argv,
    agent: kind === null ? null : { kind, conversation },
    missing: [
      ONLY_FIRST,
      ...(isNew ? [`the conversation of ${kind} is not known: a new one begins`] : []),
      ...(isWhole ? [] : ['its options are not known whole, and are not given again']),
      ...(resumed?.dropped ?? []),
      ...(unknown.length > 0 ? [`variables whose values were not recorded: ${unknown.join(', ')}`] : []),
    ],
  };
}

/** What is said where nothing tells of the rest of the session. */
export const ONLY_FIRST = 'only its first pane is known, by how it was started';
