import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
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
  positional: {
    placeholder: 'SHELL',
    kind: 'choice',
    values: SHELLS,
    min: 1,
    max: 1,
    help: 'bash, zsh or fish.',
  },
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
    const shell = SHELLS.find((name) => name === word);
    if (shell === undefined) {
      const [near] = nearest(word, SHELLS);
      throw new Failure('usage', `no completions for '${word}'`, {
        hint: near === undefined ? `there are some for ${SHELLS.join(', ')}` : `did you mean ${near}?`,
      });
    }
    surroundings.stdout.write(SCRIPTS[shell](vocabularyOf(await commands())));
    return 0;
  },
});
