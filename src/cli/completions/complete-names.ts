import { visible } from '../../core/text/visible.ts';
import { defineCommand } from '../frame/command.ts';

export const completeNamesCommand = defineCommand({
  name: '__names',
  summary: 'Print the names of all sessions, one per line, for completion scripts.',
  usage: ['rollcall __names'],
  description: [],
  examples: {},
  exits: {},
  run: async ({ surroundings }) => {
    const { sessions } = await surroundings.look();
    const names = new Set(sessions.map((entry) => visible(entry.name)));
    surroundings.stdout.write([...names].map((name) => `${name}\n`).join(''));
    return 0;
  },
});
