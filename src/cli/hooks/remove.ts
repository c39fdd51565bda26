import { defineCommand } from '../frame/command.ts';
import { agentWords } from './agents.ts';
import { CHANGE_FLAGS, changeHooks } from './change.ts';

export const hooksRemoveCommand = defineCommand({
  name: 'hooks remove',
  summary: 'Take rollcall’s hooks out of your agents’ settings.',
  usage: ['rollcall hooks remove [AGENT…] [flags]'],
  description: [
    'Takes out exactly what hooks install put in. A file that nobody has changed since is, to the byte, what it was before; from one that was changed, only the hooks go, and your comments stay. A plugin of opencode that somebody has changed is kept as a backup. Files that install made go with them, and the script goes with the last hook that calls it.',
    'What Codex remembers about the hooks you have reviewed stays in its config.toml: that is Codex’s own.',
  ],
  flags: CHANGE_FLAGS,
  positional: agentWords('all of them'),
  examples: [
    { command: 'rollcall hooks remove', what: 'from every agent; shows the changes and asks' },
    { command: 'rollcall hooks remove codex --dry-run', what: 'only look at what would be written' },
    { command: 'rollcall hooks remove --project --yes', what: 'from the settings of this repository' },
  ],
  exits: [
    { name: 'done', when: 'the hooks are gone, or there were none' },
    { name: 'failed', when: 'a file could not be written' },
    { name: 'usage', when: 'an unknown agent or flag, or no terminal to ask at and no --yes' },
    {
      name: 'refused',
      when: 'a file cannot be edited safely (broken, read-only, hard links, a link out of the repository …), or the answer was no',
    },
  ],
  run: (invocation) => changeHooks('remove', invocation),
});
