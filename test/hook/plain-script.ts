import { join } from 'node:path';
import { hookScript } from '../../src/hook/hook-script.ts';

/** The events that end a turn, as the agents' adapters have them. */
export const STOP_EVENTS = { claude: 'Stop', codex: 'Stop', gemini: 'AfterAgent' } as const;

/** The script as it is where there is no gate: beside the spool stands none, and no rollcall either. */
export function plainScript(spoolFolder: string): string {
  return hookScript({
    spoolFolder,
    gateFolder: join(spoolFolder, '../gate'),
    stopEvents: STOP_EVENTS,
    node: '/nowhere/node',
    program: '/nowhere/rollcall.cjs',
  });
}
