import { defineCommand } from '../frame/command.ts';
import { turnSwitch } from './turn-switch.ts';

export const gateOnCommand = defineCommand({
  name: 'gate on',
  summary: 'Lift what gate off did.',
  usage: ['rollcall gate on [--reason TEXT] [flags]'],
  description: [
    'The gate decides about stops again, as its mode says; a mode that was shadow is shadow. Contracts whose time has run out meanwhile are over.',
  ],
  flags: { reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for others to read.' } },
  examples: {
    'rollcall gate on': 'as it was before',
  },
  exits: {
    done: 'it is on, or was already',
    failed: 'the file could not be removed',
    usage: 'an unknown flag',
  },
  run: ({ flags, surroundings }) =>
    turnSwitch(surroundings, { state: 'on', reason: flags.reason ?? null }, { isJson: flags.json }),
});
