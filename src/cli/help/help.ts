import { defineCommand } from '../frame/command.ts';
import { helpFor } from './help-text.ts';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'Explain rollcall or one of its commands.',
  usage: ['rollcall help [COMMAND]', 'rollcall COMMAND --help'],
  description: [],
  positional: { placeholder: 'COMMAND', kind: 'command', min: 0, max: 2, help: 'The command to explain.' },
  examples: {
    'rollcall help': 'all commands',
    'rollcall help explain': 'one command, with its flags, examples and exit codes',
  },
  exits: {
    done: 'the help was printed',
    usage: 'there is no such command',
  },
  run: async ({ words, surroundings: { stdout }, commands }) => {
    stdout.write(helpFor(words.join(' '), await commands(), stdout.columns));
    return 0;
  },
});
