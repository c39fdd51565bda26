import { hold, unhold } from '../../operations/declare.ts';
import { atHere, ONE_SESSION_EXITS, say } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { serverWords } from '../roll/take-roll.ts';

export const holdCommand = defineCommand({
  name: 'hold',
  summary: 'Keep a session from being closed.',
  usage: ['rollcall hold SESSION [--reason TEXT] [flags]'],
  description: [
    'Nobody closes the session until rollcall unhold: not rollcall on its own, and not rollcall close unless it is told to despite the hold. It works on any session, whoever started it, and belongs to this session alone: another one that takes its name later is not held.',
    'If the session is being closed at that moment, the hold wins: the close does nothing more. The command then waits until that close has ended, says how far it came, and fails if the session is gone.',
    'If it is held already with the same reason, nothing is recorded.',
  ],
  flags: { reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for others to read.' } },
  positional: ONE_SESSION,
  examples: {
    "rollcall hold build --reason 'reading its diff'": 'hands off',
    'rollcall unhold build': 'done reading',
  },
  exits: {
    done: 'it is held, or was already',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [session = ''], surroundings }) => {
    const { reason } = flags;
    const why = reason === undefined ? '' : `: ${reason}`;
    const servers = serverWords(flags.server, surroundings);
    const held = await hold({ session, servers, reason }, atHere(surroundings, flags));
    return say(surroundings, flags, held, { held: `held${why}`, 'already-held': `held already${why}` });
  },
});

export const unholdCommand = defineCommand({
  name: 'unhold',
  summary: 'Take a hold back.',
  usage: ['rollcall unhold SESSION [flags]'],
  description: [
    'The session is then judged like any other; what else prevents closing it still counts. If it was not held, nothing is recorded. This works for a session that is gone, too: what it left running is then judged like any other leftover.',
  ],
  positional: ONE_SESSION,
  examples: {
    'rollcall unhold build': 'it may be closed again',
  },
  exits: {
    done: 'it is not held, or was not',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [session = ''], surroundings }) => {
    const servers = serverWords(flags.server, surroundings);
    const taken = await unhold({ session, servers }, atHere(surroundings, flags));
    return say(surroundings, flags, taken, { unheld: 'no longer held', 'not-held': 'was not held' });
  },
});
