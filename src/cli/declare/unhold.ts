import { unhold } from '../../operations/declare.ts';
import { atHere, ONE_SESSION_EXITS, say } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { serverWords } from '../roll/take-roll.ts';

export const unholdCommand = defineCommand({
  name: 'unhold',
  summary: 'Take a hold back.',
  usage: ['rollcall unhold SESSION [flags]'],
  description: [
    'The session is then judged like any other: what else stands against closing it still does. Where it was not held, nothing is recorded. Of a session that is gone, too: what it left behind is then judged like any other leftover.',
  ],
  flags: {},
  positional: ONE_SESSION,
  examples: [{ command: 'rollcall unhold build', what: 'it may be closed again' }],
  exits: [{ name: 'done', when: 'it is not held, or was not' }, ...ONE_SESSION_EXITS],
  run: async ({ flags, words: [session = ''], surroundings }) => {
    const servers = serverWords(flags.server, surroundings);
    const taken = await unhold({ session, servers }, atHere(surroundings, flags));
    return say(surroundings, flags, taken, { unheld: 'no longer held', 'not-held': 'was not held' });
  },
});
