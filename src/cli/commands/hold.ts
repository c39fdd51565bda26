import { hold } from '../../engine/act/declare-standing.ts';
import { answerDeclared, findOne, ONE_SESSION_EXITS } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';
import { ONE_SESSION } from '../session-words.ts';

export const holdCommand = defineCommand({
  name: 'hold',
  summary: 'Keep a session from being closed.',
  usage: ['rollcall hold SESSION [--reason TEXT] [flags]'],
  description: [
    'Nobody closes the session until rollcall unhold: not rollcall on its own, and not rollcall close unless it is told to despite the hold. It works on any session, whoever started it, and belongs to this session alone: another one that takes its name later is not held.',
    'Where a close of it is on its way, the hold wins: the close does nothing more. It is answered once that close has ended, says how far it came, and fails where the session did not outlast it.',
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
      const why = reason === null ? '' : `: ${reason}`;
      return answerDeclared(told, found, await hold(hands, found.entry, reason), {
        now: { result: 'held', text: `held${why}` },
        already: { result: 'already-held', text: `held already${why}` },
      });
    }),
});
