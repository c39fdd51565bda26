import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { SESSIONS } from '../frame/session-words.ts';
import { END_FLAGS, endFor } from './end-for.ts';

export const closeCommand = defineCommand({
  name: 'close',
  summary: 'Close sessions as a careful person would, and keep what they were.',
  usage: ['rollcall close SESSION… [flags]', 'rollcall close --due [flags]'],
  description: [
    'Looks first, for as long as it takes to be sure. A session that you name is closed if nothing would be lost: no turn runs, no draft is typed, no background task runs, no dialog is open, nobody is in it, and its conversation can be resumed. Unfinished work does not stop the close; the receipt notes it: a short rest, files that are not committed or pushed, a retention that still runs, a contract that is not met. If something would be lost, or cannot be known, the close is refused and says why. --due is stricter: it closes only what is finished as well.',
    'Then it goes step by step: it keeps everything (screens, layout, commands, folders, conversation, git facts, evidence); records the intent; types the agent’s own exit command if its prompt is ready and empty; waits until the process is really gone; sends SIGTERM if it stays; removes the session once nothing runs in it; ends what the session left running; reads what a resume would read and keeps a copy of the conversation; and leaves a receipt, from which rollcall reopen puts the session back. Before every step it looks again: a new turn, a draft, a person or another pane stops it, and the session stays. If its agent was ended by then, a partial receipt starts it again.',
    'Without --force it never sends SIGKILL and never removes a session in which something runs. --force closes it although something would be lost. It first says what may be lost and names every process that it will end; everything is still kept. At a terminal it asks, unless --yes is given. It signals only what it has named; processes that appear later are reported. It never signals other users’ processes, tmux servers, daemons that several sessions share, editors, terminals, programs that keep keys, or what runs below them. A protection has to be named with --despite; only a retention needs no naming. The session that rollcall itself runs in is never closed.',
    'Branches, worktrees and claims are left alone. A session that is lost, or whose program has ended, gets a receipt, and nothing is touched. If a session is closed already, its receipt is shown.',
  ],
  flags: {
    ...END_FLAGS,
    due: toggle('Close all managed sessions that are safe to close.'),
    force: toggle('Close it although something would be lost, and SIGKILL what does not end by itself.'),
    yes: toggle('With --force: do not ask. Without a terminal nobody is asked anyway.', 'y'),
  },
  positional: { ...SESSIONS, min: 0 },
  examples: {
    'rollcall close build': 'if nothing would be lost',
    'rollcall close build --dry-run': 'what would be done',
    'rollcall close --due': 'what a cron job calls',
    'rollcall close build --force --despite held': 'although something would be lost',
    "rollcall close build --json | jq -r '.sessions[0].receipt.receipt'": 'for programs',
  },
  exits: {
    done: 'closed, closed already, or nothing was due',
    failed: 'a step failed, or could not be recorded; the session stands',
    usage: 'neither a session nor --due, both, a wrong value, or a broken config file',
    refused:
      'something would be lost or is not known, it is protected or being closed by another, or something changed on the way; the session stands',
    'not-found': 'no session has this name, or it went away by itself',
    ambiguous: 'several sessions have this name; they are listed, and nothing is done',
    'timed-out': 'it was not seen at rest for long enough, or a step took too long',
  },
  run: (call) => {
    const { due, force, despite, yes } = call.flags;
    if (due === call.words.length > 0) {
      throw new Failure('usage', 'close needs a SESSION, or --due', { hint: 'give one of them' });
    }
    if (due && (force || despite.length > 0)) {
      throw new Failure('usage', '--due closes only what is proven and unprotected', {
        hint: 'name the session to close it with --force or --despite',
      });
    }
    return endFor(call, { due, force, isToSleep: false, isAsked: !yes });
  },
});
