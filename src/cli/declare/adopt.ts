import { adopt } from '../../operations/declare.ts';
import { atHere, ONE_SESSION_EXITS, say } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { serverWords } from '../roll/take-roll.ts';
import { CLAIM_FLAGS, claimsIn } from './claim-flags.ts';

export const adoptCommand = defineCommand({
  name: 'adopt',
  summary: 'Let rollcall manage a session.',
  usage: ['rollcall adopt SESSION [--role ROLE] [--task TASK] [flags]'],
  description: [
    'rollcall looks at a session that it did not start and judges it, but never closes it on its own. An adopted session is treated like one that rollcall has started: its role decides what becomes of it when its work is complete, and rollcall reports it as lost when it disappears.',
    'What it works on is recorded with it and shown: task, role, owner, branch, worktree, pull request. A close releases none of that. For a session that is managed already, only what is new is recorded.',
  ],
  flags: CLAIM_FLAGS,
  positional: ONE_SESSION,
  examples: {
    'rollcall adopt build': 'a session that somebody started by hand',
    'rollcall adopt build --role worker --task ISSUE-12 --branch fix-12': 'with its task',
    'rollcall adopt build --pr 34': 'later, when there is a pull request',
  },
  exits: {
    done: 'rollcall manages it, or did already',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [session = ''], surroundings }) => {
    const claims = claimsIn(flags);
    const servers = serverWords(flags.server, surroundings);
    const adopted = await adopt({ session, servers, ...claims }, atHere(surroundings, flags));
    return say(surroundings, flags, adopted, {
      'already-adopted': 'managed already',
      claimed: `recorded${listed(claims)}`,
      adopted: `adopted${listed(claims)}`,
    });
  },
});

function listed(claims: Readonly<Record<string, string | null>>): string {
  const all = Object.entries(claims).map(([claim, text]) => `${claim} ${text}`);
  return all.length === 0 ? '' : `, ${all.join(', ')}`;
}
