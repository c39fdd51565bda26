import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AgentHookChange, HookScope } from '../../ports/hook-config.ts';
import type { CodexConfig } from './codex-review.ts';
import type { FilePlan } from './json-plan.ts';

/** What the user should know about a change beyond the change itself. */
export function notesOn(
  { agent, file, outcome }: Pick<AgentHookChange, 'agent' | 'file' | 'outcome'>,
  { isKept, leftIdle = [] }: Pick<FilePlan, 'isKept' | 'leftIdle'>,
  scope: HookScope,
  codex: CodexConfig,
): string[] {
  const isWritten = outcome === 'installed' || outcome === 'updated';
  const notes: string[] = [];
  if (isWritten && agent === 'codex') {
    notes.push(
      'Codex asks you to review these hooks at its next start, and runs none of them before you trust them.',
    );
    if (scope === 'user' && codex.hasHooks) {
      notes.push(
        'You keep hooks in config.toml too: Codex runs both, and says at its start that it prefers one place.',
      );
    }
  }
  if (isWritten) notes.push(GATE);
  if (isWritten && agent === 'opencode') notes.push(...opencodeNotes(file));
  if (isWritten && agent !== 'claude') {
    notes.push('It takes effect at the next start: what runs now is not told to rollcall.');
    if (scope === 'project')
      notes.push(`${basename(file)} can be committed by mistake: the paths in it are of this machine.`);
  }
  if (agent === 'opencode' && isKept && (outcome === 'removed' || outcome === 'updated')) {
    notes.push(
      'Somebody has changed this plugin since rollcall wrote it: the changed one is kept as a backup.',
    );
  }
  for (const event of leftIdle) {
    notes.push(
      `You have changed rollcall's entry in "hooks.${event}": it stays with what you wrote, and runs \`true\`. Remove it when you no longer need it.`,
    );
  }
  if (outcome === 'removed' && (agent === 'codex' || agent === 'gemini')) {
    notes.push(
      'Sessions that run now may name a missing hook until they are started anew; it does them no harm.',
    );
  }
  return notes;
}

const GATE =
  'The stop gate comes with them: it watches those who own a piece of work (rollcall gate start), and keeps nobody going before rollcall gate mode enforce.';

// Seen with 1.18.33: with a plugin of any kind, a start waits until this package of opencode's own is there.
function opencodeNotes(file: string): string[] {
  const folder = dirname(dirname(file));
  if (existsSync(join(folder, 'node_modules/@opencode-ai/plugin'))) return [];
  return [
    `At its next start opencode fetches its own plugin package into ${folder}: once, some seconds. Without a network each start takes up to two minutes until it has it.`,
  ];
}
