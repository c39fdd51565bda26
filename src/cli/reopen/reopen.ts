import { reopen } from '../../operations/bring-back.ts';
import { Failure } from '../../operations/failure.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { choice, toggle, word } from '../frame/flags.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { printLines } from '../render/line.ts';
import { showText } from '../render/show.ts';
import { serverWords } from '../roll/take-roll.ts';
import { reopenedLines } from './reopened.ts';

export const reopenCommand = defineCommand({
  name: 'reopen',
  summary: 'Put back a session that was closed or lost.',
  usage: ['rollcall reopen RECEIPT [flags]', 'rollcall reopen SESSION [flags]'],
  description: [
    'Makes the session again from what was kept when it was closed: server, name, windows, panes and their folders, and the agent with its own resume, so that its conversation goes on: the same program by its path, the same options, and the variables that were given with --env. Claims come with it. Panes that ran a command of their own run it again if it still ran then. What was typed into a shell, and what had ended, is listed and not run.',
    'Options that chose a conversation are left out; a first prompt on the command line is never sent again. What is left out, and what else is not as it was, is named. The rest of the environment is that of this command, as with rollcall run; a session that was started with --clean-env has that of its tmux server.',
    'Where its agent has deleted the conversation (Claude Code does after 30 days), it is put back from the copy that the close kept, before the agent is started; a file that is there is never replaced. Where the copy cannot be written to its place, nothing is started. Where no copy is left, the answer says why.',
    'A session without an archive (lost, or its program ended) that rollcall started is made again from what it was started with. Its conversation goes on where it was chosen at the start, or where the agent’s hooks told it; otherwise a new one begins, and that is said.',
    'Refused where it lives: the session itself, one that was reopened from the same receipt, its conversation in any other session, or any agent of yours that still is at it, in tmux or not. Also while an agent of the same kind in the same folder has not said which conversation it is in, as claude --continue for its first seconds: wait a minute, or end it.',
    'From the receipt of a close that ended an agent and then stopped (partial), only the agent is started again while the session stands: in a new session under a free name. Refused where it may run in the old one. The same where the agent of a session that stands has failed (ended otherwise than with 0), also some time after it was brought back.',
    'The archive has to be the one that was written: its SHA-256 is in the receipt, and an archive that was changed since is refused, with the command to start the agent by hand. Receipts of versions that recorded no digest need --unsealed.',
    'It comes back on the tmux server that it was on, which is started if it does not run; --server names another. The answer says where: server, session and folder.',
    'An agent that does not start takes nothing with it: receipt, archive and conversation stay, and it can be tried again.',
  ],
  flags: {
    name: word('NAME', 'Give it another name.', { default: 'the name it had' }),
    'on-collision': choice(
      'HOW',
      ['fail', 'suffix'],
      'Where the name is taken: fail, or add a number to it.',
      { default: 'fail' },
    ),
    unsealed: toggle(
      'Also from the archive of an earlier version, whose receipt has no digest to compare it with. Look at it before.',
    ),
  },
  positional: {
    ...ONE_SESSION,
    placeholder: 'RECEIPT|SESSION',
    help: 'A receipt, as rollcall close and rollcall log show it; or the name, $id or key of a session, of which the newest is meant; a name also as LABEL:NAME.',
  },
  examples: {
    'rollcall reopen r4k7m2p9x3qwt': 'from its receipt',
    'rollcall reopen build': 'the last one of that name',
    'rollcall reopen build --name build-again --server work': 'under another name',
  },
  exits: {
    done: 'it is there again',
    failed: 'it could not be made, something it needs is gone, or it ended at once',
    usage: 'no receipt, several, a wrong value, or a broken config file',
    refused: 'it lives, is being reopened, its name is taken, or its archive was changed',
    'not-found': 'nothing of that name was closed',
    ambiguous: 'sessions on several servers had this name; they are listed',
  },
  run: async ({ flags, words: [receipt = ''], surroundings }) => {
    const [server, ...more] = serverWords(flags.server, surroundings);
    if (more.length > 0)
      throw new Failure('usage', 'a session has one server', { hint: 'give one --server' });
    const { name, unsealed, 'on-collision': onCollision } = flags;
    const at = atHere(surroundings, flags);
    const reopened = await reopen({ receipt, name, server, unsealed, onCollision }, at);
    return showText({ flags, surroundings }, reopened, printLines(reopenedLines(reopened), false));
  },
});
