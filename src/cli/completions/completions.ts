import { defineCommand } from '../frame/command.ts';
import { named } from '../frame/named.ts';
import { chosenWord } from '../frame/session-words.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { vocabularyOf } from './vocabulary.ts';
import { zshCompletion } from './zsh.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const completionsCommand = defineCommand({
  name: 'completions',
  summary: 'Print a completion script for your shell.',
  usage: ['rollcall completions bash|zsh|fish'],
  description: [
    'The script completes commands, flags, their values and the names of sessions. Load it in the file that your shell reads when it starts.',
  ],
  positional: { ...chosenWord('SHELL', SHELLS, 'bash, zsh or fish.'), min: 1 },
  examples: {
    'source <(rollcall completions bash)': 'in ~/.bashrc',
    'source <(rollcall completions zsh)': 'in ~/.zshrc, after compinit',
    'rollcall completions fish | source': 'in ~/.config/fish/config.fish',
  },
  exits: {
    done: 'the script was printed',
    usage: 'no shell was named, or an unknown one',
  },
  run: async ({ words: [word = ''], surroundings, commands }) => {
    const shell = named(word, SHELLS, `no completions for '${word}'`, 'there are some for');
    surroundings.stdout.write(SCRIPTS[shell](vocabularyOf(await commands())));
    return 0;
  },
});
