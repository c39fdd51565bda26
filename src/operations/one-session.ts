import type { ActedDocument } from '../contract/acted-schema.ts';
import { toActedDocument } from '../contract/roll-document.ts';
import { isGone, type Roll, type SessionEntry } from '../core/sight/roll.ts';
import type { DeclareOutcome } from '../engine/act/declare.ts';
import type { Hands } from '../engine/act/hands.ts';
import { settledOr } from '../engine/act/trouble.ts';
import type { At } from './at.ts';
import { Failure, orFail } from './failure.ts';
import { lookFor } from './look-for.ts';
import { sessionNamed } from './session-named.ts';

/** A session that is to be acted on, and the roll it was found on. */
export interface OneSession {
  readonly entry: SessionEntry;
  readonly roll: Roll;
}

/** The word by which one session is asked for. */
export interface SessionRequest {
  readonly session: string;
  readonly servers?: readonly string[] | undefined;
}

/** The one session that a word names, alive unless it may be gone. `isThorough`: with what git says about it. */
export async function findOne(
  hands: Pick<Hands, 'look' | 'socketOf'>,
  { session, servers }: SessionRequest,
  { isThorough = false, mayBeGone = false } = {},
): Promise<OneSession> {
  const roll = await lookFor(hands, { words: [session], servers }, { isThorough });
  const entry = sessionNamed(roll, session);
  if (isGone(entry) && !mayBeGone) {
    throw new Failure('not-found', `session '${entry.name}' is gone`, {
      details: entry.reasons.slice(0, 1).map(({ text }) => text),
      hint: 'rollcall log tells what was last known of it',
    });
  }
  return { entry, roll };
}

type Result = ActedDocument['result'];

/** What is told of a declaration: whether it was made just now or held already, and the session as it is since. */
export async function toldOf<R>(
  at: Pick<At, 'now' | 'isBrief'>,
  hands: Hands,
  { entry, roll }: OneSession,
  declared: DeclareOutcome<R>,
  { now, already }: { readonly now: Result; readonly already: Result },
): Promise<ActedDocument> {
  const settled = orFail(settledOr(declared, at.now()));
  const note = 'note' in settled ? settled.note : undefined;
  const result = settled.state === 'declared' ? now : already;
  return toActedDocument(result, at.isBrief ? entry : await seenAgain(hands, entry), roll.host, note);
}

async function seenAgain(hands: Hands, entry: SessionEntry): Promise<SessionEntry> {
  const { sessions } = await hands.look({ servers: [entry.server.socketPath], isWithClosed: isGone(entry) });
  return sessions.find(({ key }) => key === entry.key) ?? entry;
}
