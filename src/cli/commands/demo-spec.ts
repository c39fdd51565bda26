import type { CommandSpec } from '../command.ts';

export const DEMO_SPEC = {
  name: 'demo',
  summary: 'See a full roll within seconds, on a private tmux server.',
  usage: ['rollcall demo [flags]'],
  description: [
    'Starts a tmux server of its own with scripted programs in every state, shows the roll of it, and removes everything again. Your own sessions are not touched.',
  ],
  flags: {},
  positional: null,
  examples: [{ command: 'rollcall demo', what: 'what a full roll looks like' }],
  exits: [
    { name: 'done', when: 'the demo was shown and removed' },
    { name: 'failed', when: 'tmux is not installed, or the demo could not be started' },
  ],
} as const satisfies CommandSpec;
