import { dirname, join } from 'node:path';
import { allAgents } from '../src/compose/look/agents.ts';
import { type HookScriptParts, hookScript } from '../src/hook/hook-script.ts';

/** The script that agents call, for a spool in a state folder, with the gate beside it. */
export function hookText(spoolFolder: string, parts: Partial<HookScriptParts> = {}): string {
  const stops = allAgents().flatMap(({ kind, gate }) =>
    gate === undefined || kind === 'opencode' ? [] : [[kind, gate.event] as const],
  );
  return hookScript({
    spoolFolder,
    gateFolder: join(dirname(spoolFolder), 'gate'),
    stopEvents: Object.fromEntries(stops),
    node: process.execPath,
    program: join(import.meta.dirname, '../dist/rollcall.cjs'),
    ...parts,
  });
}
