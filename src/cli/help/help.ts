import { defineCommand } from '../frame/command.ts';
import { helpFor } from './help-text.ts';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'Explain rollcall or one of its commands.',
  usage: ['rollcall help [COMMAND]', 'rollcall COMMAND --help'],
  description: [],
  positional: { placeholder: 'COMMAND', kind: 'command', min: 0, max: 2, help: 'The command to explain.' },
  examples: [
    { command: 'rollcall help', what: 'all commands' },
    { command: 'rollcall help explain', what: 'one command, with its flags, examples and exit codes' },
  ],
  exits: [
    { name: 'done', when: 'the help was printed' },
    { name: 'usage', when: 'there is no such command' },
  ],
  run: async ({ words, surroundings: { stdout }, commands }) => {
    stdout.write(helpFor(words.join(' '), await commands(), stdout.columns));
    return 0;
  },
});
