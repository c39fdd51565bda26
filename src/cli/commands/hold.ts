import { hold } from '../../engine/act/declare-standing.ts';
import { answer, findOne, ONE_SESSION, ONE_SESSION_EXITS, settled } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';

export const holdCommand = defineCommand({
  name: 'hold',
  summary: 'Keep a session from being closed.',
  usage: ['rollcall hold SESSION [--reason TEXT] [flags]'],
  description: [
    'Nobody closes the session until rollcall unhold: not rollcall on its own, and not rollcall close unless it is told to despite the hold. It works on any session, whoever started it, and belongs to this session alone: another one that takes its name later is not held.',
    'Held already with the same reason, nothing is recorded.',
  ],
  flags: { reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for others to read.' } },
  positional: ONE_SESSION,
  examples: [
    { command: "rollcall hold build --reason 'reading its diff'", what: 'hands off' },
    { command: 'rollcall unhold build', what: 'done reading' },
  ],
  exits: [{ name: 'done', when: 'it is held, or was already' }, ...ONE_SESSION_EXITS],
  run: ({ flags, words: [word = ''], surroundings }) =>
    withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const found = await findOne(told, word);
      const reason = flags.reason ?? null;
      const { state } = settled(await hold(hands, found.entry, reason), surroundings.now());
      const { name } = found.entry;
      const why = reason === null ? '' : `: ${reason}`;
      await answer(
        told,
        found,
        state === 'declared'
          ? { result: 'held', text: `${name}: held${why}` }
          : { result: 'already-held', text: `${name}: held already${why}` },
      );
      return 0;
    }),
});
