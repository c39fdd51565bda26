import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startFoldersWith } from './compose/folders.ts';
import { composeLook } from './compose/look.ts';
import { defaultValues, toSettings } from './config/settings.ts';
import type { Look } from './engine/look.ts';

export type { ClientPlace, DaemonEvent, RollcallClient } from './client/index.ts';
export { createClient, DaemonUnreachable, RollcallProblem } from './client/index.ts';
export type { Evidence } from './core/evidence.ts';
export type { PaneEntry, Problem, Roll, SessionEntry } from './core/roll.ts';
export type { Activity, Blocker, Check, Lifecycle, Protection, Reason, WaitingFor } from './core/verdict.ts';
export { ACTIVITIES, LIFECYCLES, WAITING_FOR } from './core/verdict.ts';
export type { Look, LookOptions } from './engine/look.ts';

/** Makes a function that takes the roll, with default settings. Each call is compared with the one before it. */
export function createRollcall(options: { readonly env?: NodeJS.ProcessEnv } = {}): Look {
  // The command beside this file looks at folders that may give no answer.
  const command = fileURLToPath(new URL('./rollcall.cjs', import.meta.url));
  if (existsSync(command)) startFoldersWith([process.execPath, command]);
  return composeLook({ env: options.env ?? process.env, settings: toSettings(defaultValues()) });
}
