import { wake } from '../../operations/bring-back.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { printLines } from '../render/line.ts';
import { showText } from '../render/show.ts';
import { serverWords } from '../roll/take-roll.ts';
import { wokenLines } from './reopened.ts';

export const wakeCommand = defineCommand({
  name: 'wake',
  summary: 'Wake an agent that sleeps: the same conversation, in the same pane.',
  usage: ['rollcall wake SESSION [flags]', 'rollcall wake RECEIPT [flags]'],
  description: [
    'Starts the agent in the place of its sleeper with its own resume: the same program by its path, the same options, and the variables that were given with --env. The rest of its environment is what its tmux session gives to every new pane. Where the agent has deleted the conversation meanwhile, it is put back from its copy first.',
    'Enter in the pane of the sleeper does the same. It never wakes twice: whoever comes second is told that it is awake. Refused where its conversation goes on elsewhere, in tmux or not.',
    'Where the agent ends at once, the sleeper comes back and says why; nothing is lost by that. Where its sleeper is gone, rollcall reopen takes the receipt.',
  ],
  positional: {
    ...ONE_SESSION,
    placeholder: 'SESSION|RECEIPT',
    help: 'Name, $id, %pane or key of the session, or the receipt that its sleeper shows.',
  },
  examples: {
    'rollcall wake build': 'in its own pane',
    'rollcall wake r4k7m2p9x3qwt': 'by its receipt',
  },
  exits: {
    done: 'it is awake, or was awake already',
    failed: 'its folder, program or archive is gone, or it ended at once; it sleeps on',
    usage: 'no session, several, or a broken config file',
    refused: 'its conversation runs elsewhere, its sleeper is gone, or its archive changed',
    'not-found': 'no session has this name',
    ambiguous: 'several sessions have this name; they are listed',
  },
  run: async ({ flags, words: [word = ''], surroundings }) => {
    const { stdout, stderr, env, self } = surroundings;
    // In its own pane this command would end with the sleeper that it replaces.
    if (env.ROLLCALL_RUN === word) {
      const said = await surroundings.handOver([...self, 'wake', word, ...(flags.json ? ['--json'] : [])]);
      stdout.write(said.stdout);
      stderr.write(said.stderr);
      return said.code;
    }
    const servers = serverWords(flags.server, surroundings);
    const woken = await wake({ session: word, servers }, atHere(surroundings, flags));
    return showText({ flags, surroundings }, woken, printLines(wokenLines(woken), false));
  },
});
