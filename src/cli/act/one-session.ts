import { toActedDocument } from '../../contract/acted-document.ts';
import type { ActedDocument } from '../../contract/acted-schema.ts';
import { isGone, type Roll, type SessionEntry } from '../../core/roll.ts';
import { visible } from '../../core/visible.ts';
import type { Declared } from '../../engine/act/declare.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Settled, Trouble } from '../../engine/act/trouble.ts';
import { isTrouble, settledOr } from '../../engine/act/trouble.ts';
import { Failure } from '../failure.ts';
import { sessionsMeant } from '../select-session.ts';
import { sessionNamed } from '../session-failure.ts';
import type { Surroundings } from '../surroundings.ts';
import { requireTmux, serverWords, takeRoll } from '../take-roll.ts';
import { writeJson } from '../write-json.ts';

/** A session that is to be acted on, and the roll it was found on. */
export interface OneSession {
  readonly entry: SessionEntry;
  readonly roll: Roll;
}

/** What all commands on one session are told. */
export interface Told {
  readonly hands: Hands;
  readonly surroundings: Surroundings;
  readonly flags: { readonly server: readonly string[]; readonly json: boolean };
}

/** How these commands end, beside what is special to one of them. */
export const ONE_SESSION_EXITS = [
  {
    name: 'failed',
    when: 'it could not be recorded, tmux is not installed, or a server that may hold the session is silent',
  },
  { name: 'usage', when: 'no session, several, a wrong value, or a broken config file' },
  { name: 'not-found', when: 'no session has this name, or it is gone' },
  { name: 'ambiguous', when: 'several sessions have this name; they are listed' },
  { name: 'lock-held', when: 'another rollcall has been writing for too long; nothing was recorded' },
] as const;

/** The one session that a word names, alive unless it may be gone. `isThorough`: with what git says about it. */
export async function findOne(
  { hands, surroundings, flags }: Told,
  word: string,
  { isThorough = false, mayBeGone = false } = {},
): Promise<OneSession> {
  const roll = await takeRoll(
    { ...surroundings, look: hands.look },
    serverWords(flags.server, surroundings),
    isThorough ? (sessions) => sessionsMeant(sessions, word) : undefined,
    { isWithClosed: true },
  );
  requireTmux(roll);
  const entry = sessionNamed(roll, word);
  if (isGone(entry) && !mayBeGone) {
    throw new Failure('not-found', `session '${entry.name}' is gone`, {
      details: entry.reasons.slice(0, 1).map(({ text }) => text),
      hint: 'rollcall log tells what was last known of it',
    });
  }
  return { entry, roll };
}

/** What came of an action, in a word for programs and in words for people. */
export interface Answer {
  readonly result: ActedDocument['result'];
  readonly text: string;
}

/** Says whether something was declared just now or held already. Gives the exit code. */
export async function answerDeclared<R>(
  told: Told,
  found: OneSession,
  declared: Declared<R>,
  { now, already }: { readonly now: Answer; readonly already: Answer },
): Promise<number> {
  const result = settled(declared, told.surroundings.now());
  const { result: code, text } = result.state === 'declared' ? now : already;
  const note = 'note' in result && result.note !== undefined ? `; ${result.note}` : '';
  await answer(told, found, { result: code, text: `${text}${note}` });
  return 0;
}

/** Says in one line what was done, or prints the session as it is now. */
export async function answer(
  { hands, surroundings, flags }: Told,
  { entry, roll }: OneSession,
  { result, text }: Answer,
): Promise<void> {
  const { stdout } = surroundings;
  if (!flags.json) {
    stdout.write(`${visible(`${entry.name}: ${text}`)}\n`);
    return;
  }
  const now = await hands.look({ servers: [entry.server.socketPath] });
  const fresh = now.sessions.find(({ key }) => key === entry.key) ?? entry;
  writeJson(stdout, toActedDocument(result, fresh, roll.host));
}

/** A declaration that was settled one way or the other; without the writer's lock there is none. */
export function settled<R>(declared: Declared<R>, now: number): Settled<R> {
  const result = settledOr(declared, now);
  if (isTrouble(result)) throw failureOf(result);
  return result;
}

/** What ends a command that could not act. */
export function failureOf({ exit, text, hint, details }: Trouble): Failure {
  return new Failure(exit, text, { hint: hint ?? undefined, details });
}
