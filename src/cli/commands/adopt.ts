import { visible } from '../../core/visible.ts';
import { adopt } from '../../engine/act/declare-adopted.ts';
import { CLAIM_FLAGS, claimsIn } from '../act/claim-flags.ts';
import { answer, findOne, ONE_SESSION_EXITS, settled } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';
import { ONE_SESSION } from '../session-words.ts';

export const adoptCommand = defineCommand({
  name: 'adopt',
  summary: 'Take a session into rollcall’s care.',
  usage: ['rollcall adopt SESSION [--role ROLE] [--task TASK] [flags]'],
  description: [
    'A session that rollcall did not start is looked at and judged, and never closed on its own. Adopted, it is treated like one that rollcall has started: its role decides what becomes of it when its work is complete, and it is missed when it is gone.',
    'What it works on is recorded with it and shown: task, role, owner, branch, worktree, pull request. A close releases none of that. For a session that is in rollcall’s care already, only what is new is recorded.',
  ],
  flags: CLAIM_FLAGS,
  positional: ONE_SESSION,
  examples: [
    { command: 'rollcall adopt build', what: 'a session that somebody started by hand' },
    {
      command: 'rollcall adopt build --role worker --task ISSUE-12 --branch fix-12',
      what: 'with what it works on',
    },
    { command: 'rollcall adopt build --pr 34', what: 'later, when there is a pull request' },
  ],
  exits: [{ name: 'done', when: 'it is in rollcall’s care, or was already' }, ...ONE_SESSION_EXITS],
  run: ({ flags, words: [word = ''], surroundings }) => {
    const claims = claimsIn(flags);
    return withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const found = await findOne(told, word);
      const { as, declared, unstamped } = await adopt(hands, found.entry, claims);
      const result = settled(declared, surroundings.now());
      const note = 'note' in result && result.note !== undefined ? `; ${result.note}` : '';
      for (const text of unstamped) {
        surroundings.stderr.write(`! ${visible(`not marked in tmux: ${text}`)}\n`);
      }
      if (result.state !== 'declared') {
        await answer(told, found, { result: 'already-adopted', text: 'in rollcall’s care already' });
      } else if (as === 'claim') {
        await answer(told, found, { result: 'claimed', text: `recorded${listed(claims)}${note}` });
      } else {
        await answer(told, found, { result: 'adopted', text: `adopted${listed(claims)}${note}` });
      }
      return 0;
    });
  },
});

function listed(claims: Readonly<Record<string, string | null>>): string {
  const all = Object.entries(claims).map(([claim, text]) => `${claim} ${text}`);
  return all.length === 0 ? '' : `, ${all.join(', ')}`;
}
