import { unhold } from '../../engine/act/declare-standing.ts';
import { answer, findOne, ONE_SESSION, ONE_SESSION_EXITS, settled } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';

export const unholdCommand = defineCommand({
  name: 'unhold',
  summary: 'Take a hold back.',
  usage: ['rollcall unhold SESSION [flags]'],
  description: [
    'The session is then judged like any other: what else stands against closing it still does. Where it was not held, nothing is recorded.',
  ],
  flags: {},
  positional: ONE_SESSION,
  examples: [{ command: 'rollcall unhold build', what: 'it may be closed again' }],
  exits: [{ name: 'done', when: 'it is not held, or was not' }, ...ONE_SESSION_EXITS],
  run: ({ flags, words: [word = ''], surroundings }) =>
    withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const found = await findOne(told, word);
      const { state } = settled(await unhold(hands, found.entry), surroundings.now());
      const { name } = found.entry;
      await answer(
        told,
        found,
        state === 'declared'
          ? { result: 'unheld', text: `${name}: no longer held` }
          : { result: 'not-held', text: `${name}: was not held` },
      );
      return 0;
    }),
});
