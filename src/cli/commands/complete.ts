import type { CompletionWish } from '../../engine/act/complete.ts';
import { cancelCompletion, completeSession } from '../../engine/act/complete-session.ts';
import { isTrouble } from '../../engine/act/trouble.ts';
import type { OneSession, Told } from '../act/one-session.ts';
import { answerDeclared, failureOf, findOne, ONE_SESSION_EXITS } from '../act/one-session.ts';
import { findAround } from '../act/session-inside.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { ONE_SESSION } from '../session-words.ts';

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
    'It belongs to this session alone: another one that takes its name later knows nothing of it. To say the same again changes nothing.',
  ],
  flags: {
    task: { kind: 'word', placeholder: 'TASK', help: 'The task that is over; it has to be the session’s.' },
    outcome: {
      kind: 'choice',
      placeholder: 'OUTCOME',
      values: ['done', 'failed'],
      default: 'done',
      help: 'How it ended.',
    },
    evidence: {
      kind: 'words',
      placeholder: 'TEXT',
      help: 'What shows that it is done: a commit, a link, a test run. May be repeated.',
    },
    cancel: { kind: 'switch', help: 'Take the completion back.' },
  },
  positional: { ...ONE_SESSION, min: 0 },
  examples: [
    { command: 'rollcall complete', what: 'at the end of the work, from inside the session' },
    {
      command: "rollcall complete build --task ISSUE-12 --evidence 'all tests pass'",
      what: 'from outside, with evidence',
    },
    { command: 'rollcall complete build --outcome failed', what: 'it is over, and not done' },
    { command: 'rollcall complete build --cancel', what: 'there is more to do' },
  ],
  exits: [
    { name: 'done', when: 'it is recorded, or was already' },
    {
      name: 'refused',
      when: 'its contract is not met, its task is another, or the session around this command cannot be proven',
    },
    ...ONE_SESSION_EXITS,
  ],
  run: async ({ flags, words: [word], surroundings }) => {
    if (flags.cancel && (flags.task ?? flags.outcome ?? flags.evidence[0]) !== undefined) {
      throw new Failure('usage', '--cancel goes with no other flag of complete', { hint: 'give it alone' });
    }
    return withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const around = word === undefined ? await findAround(told, 'complete') : null;
      const found = around ?? (await findOne(told, word ?? '', { isThorough: !flags.cancel }));
      if (flags.cancel) return takeBack(told, found);
      return declareDone(told, found, {
        outcome: flags.outcome ?? 'done',
        task: flags.task ?? null,
        evidence: flags.evidence,
        fromPane: around?.paneId ?? null,
      });
    });
  },
});

async function takeBack(told: Told, found: OneSession): Promise<number> {
  return answerDeclared(told, found, await cancelCompletion(told.hands, found.entry), {
    now: { result: 'cancelled', text: 'no longer declared complete' },
    already: { result: 'not-completed', text: 'was not declared complete' },
  });
}

async function declareDone(
  told: Told,
  found: OneSession,
  wish: Omit<CompletionWish, 'blockers'>,
): Promise<number> {
  const { hands, surroundings } = told;
  const declared = await completeSession(hands, surroundings.settings.policy, found.entry, wish);
  if (isTrouble(declared)) throw failureOf(declared);
  const said = wish.outcome === 'done' ? 'declared complete' : 'declared failed';
  return answerDeclared(told, found, declared, {
    now: { result: 'completed', text: said },
    already: { result: 'already-completed', text: `${said} already` },
  });
}
