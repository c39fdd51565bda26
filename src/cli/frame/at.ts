import type { ActedDocument } from '../../contract/acted-schema.ts';
import { visible } from '../../core/text/visible.ts';
import type { At } from '../../operations/at.ts';
import { readLog } from '../../operations/log.ts';
import { seeMachine } from '../../operations/status.ts';
import { entriesIn, withLedger } from '../../operations/with-hands.ts';
import { showText } from '../render/show.ts';
import { lookNoted, serverWords } from '../roll/take-roll.ts';
import type { Surroundings } from './surroundings.ts';
import { withHands } from './with-hands.ts';

/** How these commands end, beside what is special to one of them. */
export const ONE_SESSION_EXITS = {
  failed: 'it could not be recorded, tmux is not installed, or a server that may hold the session is silent',
  usage: 'no session, several, a wrong value, or a broken config file',
  'not-found': 'no session has this name, or it is gone',
  ambiguous: 'several sessions have this name; they are listed',
  'lock-held': 'another rollcall has been writing for too long; nothing was recorded',
} as const;

/** An operation that is done by this command itself. */
export function atHere(surroundings: Surroundings, { json: isJson }: { readonly json: boolean }): At {
  const { argv, env, now } = surroundings;
  return {
    now,
    argv,
    get policies() {
      return surroundings.settings.policy;
    },
    shell: env.SHELL ?? '/bin/sh',
    cwd: surroundings.cwd,
    isCallerHere: true,
    isBrief: !isJson,
    look: (options) => lookNoted(surroundings, options),
    socketOf: (word = 'default') => serverWords([word], surroundings)[0] ?? word,
    readLog: (wish) => withLedger(surroundings.ledger, (ledger) => readLog(ledger, wish)),
    seeMachine: (servers) => seeMachine(surroundings, servers, surroundings.config.notices),
    entries: () => entriesIn(surroundings.ledger),
    doctor: () => surroundings.doctor(surroundings.cwd),
    gate: surroundings.gate,
    history: surroundings.history,
    withHands: (work) => withHands(surroundings, work),
  };
}

/** Says in one line what was done to a session, or prints the session as it is now. Gives the exit code. */
export function say<R extends string>(
  surroundings: Surroundings,
  flags: { readonly json: boolean },
  acted: ActedDocument,
  texts: Readonly<Record<R, string>>,
): 0 {
  const note = acted.note === undefined ? '' : `; ${acted.note}`;
  const text = `${visible(`${acted.name}: ${texts[acted.result as R]}${note}`)}\n`;
  return showText({ flags, surroundings }, acted, text);
}
