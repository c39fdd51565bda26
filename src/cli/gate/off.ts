import { defineCommand } from '../frame/command.ts';
import { turnSwitch } from './turn-switch.ts';

export const gateOffCommand = defineCommand({
  name: 'gate off',
  summary: 'Let every agent stop from now on.',
  usage: ['rollcall gate off [--now] [--reason TEXT] [flags]'],
  description: [
    'The kill switch: from this moment every stop is let through, of every agent and whatever the mode. It is a file that the hooks look for first, so it works from any terminal, without tmux, and also where the config file is broken or the ledger cannot be written. Contracts stay as they are; rollcall gate on lifts it.',
  ],
  flags: {
    now: { kind: 'switch', help: 'At once, which it is in any case.' },
    reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for others to read.' },
  },
  examples: {
    'rollcall gate off --now': 'nobody is kept going any more',
    "rollcall gate off --reason 'release day'": 'with the reason',
    'rollcall gate on': 'as it was before',
  },
  exits: {
    done: 'it is off, or was already',
    failed: 'the file could not be made',
    usage: 'an unknown flag',
  },
  run: ({ flags, surroundings }) =>
    turnSwitch(surroundings, { state: 'off', reason: flags.reason ?? null }, { isJson: flags.json }),
});
