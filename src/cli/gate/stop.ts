import { defineCommand } from '../frame/command.ts';

/**
 * Called by the hook when an agent ends its turn. Whatever goes wrong, the agent stops: nothing is printed and the exit
 * code is 0. 10: what is printed makes it go on. 11: checks have to run, for so many seconds at most.
 */
export const stopCommand = defineCommand({
  name: '__stop',
  summary: 'Tell the hook of an agent whether the agent may stop.',
  usage: ['rollcall __stop GATE-FOLDER EVENT [run|later]'],
  description: [],
  positional: { placeholder: 'WORD', kind: 'choice', min: 0, max: 3, help: '' },
  examples: {},
  exits: {},
  run: async ({ words: [folder = '', name = '', phase], surroundings }) => {
    try {
      const answer = await surroundings.answerStop({
        folder,
        name,
        phase: phase === 'run' || phase === 'later' ? phase : 'quick',
      });
      if (answer.exitCode !== 0) surroundings.stdout.write(`${answer.print}\n`);
      return answer.exitCode;
    } catch {
      return 0;
    }
  },
});
