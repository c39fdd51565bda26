import { unhold } from '../../engine/act/declare-standing.ts';
import { answerDeclared, findOne, ONE_SESSION_EXITS } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';
import { ONE_SESSION } from '../session-words.ts';

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
  run: ({ flags, words: [word = ''], surroundings }) =>
    withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const found = await findOne(told, word, { mayBeGone: true });
      return answerDeclared(told, found, await unhold(hands, found.entry), {
        now: { result: 'unheld', text: 'no longer held' },
        already: { result: 'not-held', text: 'was not held' },
      });
    }),
});
