import type { HookAgent } from '../../ports/hook-config.ts';

/** The last two names of the script's path tell an entry of ours, wherever the rest of the path leads. */
const SCRIPT = '/rollcall/hook.sh';
const QUOTED = /^'((?:[^']|'\\'')+)' [a-z]+ [A-Za-z]+(?: \|\| :)?$/;

// Every exit status but 0 and 1 denies what Gemini is about to do, and a script that is gone is 127: without this nobody
// could give it a prompt any more, and it could not stop.
const WITHOUT_SCRIPT: Partial<Record<HookAgent, string>> = { gemini: ' || :' };

/** What an agent runs for one event. */
export function hookCommand(script: string, agent: HookAgent, event: string): string {
  return `'${script.replaceAll("'", "'\\''")}' ${agent} ${event}${WITHOUT_SCRIPT[agent] ?? ''}`;
}

/** The script that a command of ours calls; null for every other command. */
export function scriptOf(command: unknown): string | null {
  if (typeof command !== 'string' || command.length > 5000) return null;
  const path = QUOTED.exec(command)?.[1]?.replaceAll("'\\''", "'");
  return path?.endsWith(SCRIPT) ? path : null;
}

/** Whether a text speaks of a script of ours at all. */
export function isOwnScript(text: string): boolean {
  return text.includes(SCRIPT);
}
