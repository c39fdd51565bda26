import { defineCommand } from '../frame/command.ts';
import { agentWords } from './agents.ts';
import { CHANGE_FLAGS, changeHooks } from './change.ts';

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
  examples: [
    { command: 'rollcall hooks install', what: 'for every agent you use; shows the changes and asks' },
    { command: 'rollcall hooks install claude codex --dry-run', what: 'only look at what would be written' },
    { command: 'rollcall hooks install gemini --project', what: 'only in this repository' },
    { command: 'rollcall hooks install --yes --json', what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'the hooks are installed, or were already' },
    { name: 'failed', when: 'a file could not be written' },
    { name: 'usage', when: 'an unknown agent or flag, or no terminal to ask at and no --yes' },
    {
      name: 'refused',
      when: 'a file cannot be edited safely (broken, read-only, hard links, a link out of the repository …), or the answer was no',
    },
    { name: 'not-found', when: 'no agent was named and none was found' },
  ],
  run: (invocation) => changeHooks('install', invocation),
});
