import { defineCommand } from '../frame/command.ts';
import { SESSIONS } from '../frame/session-words.ts';
import { END_FLAGS, endFor } from './end-for.ts';

export const hibernateCommand = defineCommand({
  name: 'hibernate',
  summary: 'Let an idle agent leave to free memory; its session stays, and wakes on Enter.',
  usage: ['rollcall hibernate SESSION… [flags]'],
  description: [
    'Needs the same proof as rollcall close, but keeps the session: nothing may be lost, and the conversation has to be known and resumable. The agent leaves by its own exit command, or by SIGTERM if it stays. A small shell program, the sleeper, takes its place in the pane. It shows what sleeps, since when and how much memory came back. Enter in that pane wakes the agent, and so does rollcall wake. Windows and other panes stay as they are.',
    'First everything is kept as for a close, and a receipt records it: if the tmux server ends meanwhile, rollcall reopen makes the session again. The sleeper needs no daemon, and still works after an upgrade of rollcall.',
    'If the agent was started from a shell, that shell ends: the sleeper takes its place, and later the agent itself. A session with several agents cannot sleep. Nothing is ever forced.',
  ],
  flags: END_FLAGS,
  positional: SESSIONS,
  examples: {
    'rollcall hibernate build': 'if nothing would be lost',
    'rollcall hibernate build --dry-run': 'what would be done',
    'rollcall --activity=asleep': 'everything that sleeps',
  },
  exits: {
    done: 'it sleeps, or slept already',
    failed: 'a step did not do what it should, or it could not be recorded',
    usage: 'no session, a wrong value, or a broken config file',
    refused: 'it would lose something, is unclear or protected, or has not just one agent',
    'not-found': 'no session has this name, or it went away by itself',
    ambiguous: 'several sessions have this name; they are listed, and nothing is done',
    'timed-out': 'the time was over: it was not seen at rest for long enough',
  },
  run: (call) => endFor(call, { isToSleep: true }),
});
