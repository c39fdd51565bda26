import { defineCommand } from '../frame/command.ts';
import { agentWords } from './agents.ts';
import { CHANGE_EXITS, CHANGE_FLAGS, changeHooks } from './change.ts';

export const hooksInstallCommand = defineCommand({
  name: 'hooks install',
  summary: 'Have your agents tell rollcall what they do.',
  usage: ['rollcall hooks install [AGENT…] [flags]'],
  description: [
    'Adds hooks to the agents’ own settings: at the start and end of a turn, at a tool, at a question and so on, the agent calls a small script that leaves a note for rollcall. Nothing leaves the machine, and the agent never waits for it.',
    'For Claude Code that is settings.json (with --project settings.local.json, which is not shared with the team), for Codex hooks.json, for Gemini CLI settings.json, for opencode a plugin file. Everything else in these files stays as it is, to the byte. What would be written is shown first, also where a link leads.',
    'The file as it was is kept in hook-backups in the state folder, for you alone: the first, and the last nine. The command says how to put it back. A file that somebody writes to in that moment is looked at again, and then has both.',
    'Codex asks you at its next start to review the hooks, and runs none before you trust them. A second install changes nothing; after an update of rollcall it replaces what is outdated.',
  ],
  flags: CHANGE_FLAGS,
  positional: agentWords('every agent that is found on this machine'),
  examples: {
    'rollcall hooks install': 'for every agent you use; shows the changes and asks',
    'rollcall hooks install claude codex --dry-run': 'only look at what would be written',
    'rollcall hooks install gemini --project': 'only in this repository',
    'rollcall hooks install --yes --json': 'for programs',
  },
  exits: {
    done: 'the hooks are installed, or were already',
    ...CHANGE_EXITS,
    'not-found': 'no agent was named and none was found',
  },
  run: (invocation) => changeHooks('install', invocation),
});

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
  examples: {
    'rollcall hooks remove': 'from every agent; shows the changes and asks',
    'rollcall hooks remove codex --dry-run': 'only look at what would be written',
    'rollcall hooks remove --project --yes': 'from the settings of this repository',
  },
  exits: {
    done: 'the hooks are gone, or there were none',
    ...CHANGE_EXITS,
  },
  run: (invocation) => changeHooks('remove', invocation),
});
