import type { Input } from '../../contract/operations.ts';
import type { At } from '../../operations/at.ts';
import { complete, completeFound } from '../../operations/declare.ts';
import { Failure } from '../../operations/failure.ts';
import { atHere, ONE_SESSION_EXITS, say } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { choice, toggle, word, words } from '../frame/flags.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { serverWords } from '../roll/take-roll.ts';
import { findAround } from './session-inside.ts';

export const completeCommand = defineCommand({
  name: 'complete',
  summary: 'Declare the work of a session done.',
  usage: [
    'rollcall complete [SESSION] [--outcome done|failed] [--evidence TEXT…] [flags]',
    'rollcall complete [SESSION] --cancel',
  ],
  description: [
    'Records that the work is over. The session is not closed by that: its agent ends its turn first, then it is kept for the time that its role has in config, and only then it may be closed. A running daemon closes it then by itself, once every check is met (daemon.settle); without one, rollcall close --due does. rollcall status says what is due when. --cancel takes it back.',
    'It speaks for what is in the session now: for every pane; said by an agent, only for the pane that it is in. What is started there later is not part of it, and whoever uses it again ends it: with a new turn, with something entered in its shell, or by typing while attached. Then declare it again.',
    'In a session that rollcall run started it also speaks for a bare shell that is left in the pane: once that is proven to be at its prompt, with nothing below it.',
    'Without SESSION it is about the session that the command runs in. Which one that is, is proven by the processes: this command has to descend from the program of the pane that $TMUX_PANE names; otherwise it is refused. What a screen shows is never a completion.',
    'A role may have a contract in config: a clean work tree, everything pushed, commands that have to succeed. Where something of it is missing, the completion is recorded with that and not accepted: the session stays active, and the exit code is 3. A completion with --outcome failed, or for another task than the session’s, schedules nothing.',
    'It belongs to this session alone: another one that takes its name later knows nothing of it. Saying the same again changes nothing.',
  ],
  flags: {
    task: word('TASK', 'The task that is over; it has to be the session’s.'),
    outcome: choice('OUTCOME', ['done', 'failed'], 'How it ended.', { default: 'done' }),
    evidence: words('TEXT', 'What shows that it is done: a commit, a link, a test run. May be repeated.'),
    cancel: toggle('Take the completion back.'),
  },
  positional: { ...ONE_SESSION, min: 0 },
  examples: {
    'rollcall complete': 'at the end of the work, from inside the session',
    "rollcall complete build --task ISSUE-12 --evidence 'all tests pass'": 'from outside',
    'rollcall complete build --outcome failed': 'it is over, and not done',
    'rollcall complete build --cancel': 'there is more to do',
  },
  exits: {
    done: 'it is recorded, or was already',
    refused: 'its contract is not met, its task differs, or its session is not proven',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [session], surroundings }) => {
    const { cancel, outcome, task, evidence } = flags;
    if (cancel && (task ?? outcome ?? evidence[0]) !== undefined) {
      throw new Failure('usage', '--cancel goes with no other flag of complete', { hint: 'give it alone' });
    }
    const servers = serverWords(flags.server, surroundings);
    const wish = cancel ? { servers, cancel } : { servers, outcome, task, evidence: [...evidence] };
    const at = atHere(surroundings, flags);
    const completed =
      session === undefined
        ? await completeAround(surroundings, wish, at)
        : await complete({ session, ...wish }, at);
    const said = outcome === 'failed' ? 'declared failed' : 'declared complete';
    return say(surroundings, flags, completed, {
      completed: said,
      'already-completed': `${said} already`,
      cancelled: 'no longer declared complete',
      'not-completed': 'was not declared complete',
    });
  },
});

/** The same for the session that this command runs in. */
function completeAround(surroundings: Surroundings, wish: Omit<Input<'complete'>, 'session'>, at: At) {
  return at.withHands(async (hands) => {
    const around = await findAround({ hands, surroundings }, 'complete');
    return completeFound(at, hands, around, wish, around.paneId);
  });
}
