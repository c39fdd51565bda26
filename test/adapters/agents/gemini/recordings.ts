import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainRow, screenLines } from '../../../../src/adapters/tmux/capture-screens.ts';
import type { AgentReading, CapturedScreen } from '../../../../src/ports/agent.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/agents/gemini');
const SCREENS = join(FOLDER, 'screens');

interface Meta {
  readonly cursor: { readonly x: number; readonly y: number; readonly width: number };
  readonly title: string;
}

const META = JSON.parse(readFileSync(join(SCREENS, 'screens.json'), 'utf8')) as Record<string, Meta>;

/** The names of all recorded screens. */
export const recordedScreens = Object.keys(META);

/** A file of the recordings. */
export function recording(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** The pane's title while a screen was recorded. */
export function recordedTitle(name: string): string {
  return metaOf(name).title;
}

/** A screen as tmux would hand it over. */
export function recordedScreen(name: string): CapturedScreen {
  return screenOf(readFileSync(join(SCREENS, `${name}.txt`)), metaOf(name).cursor);
}

/** A screen made of rows with colours. */
export function screenOf(rows: Buffer | string, cursor: Meta['cursor'] | null): CapturedScreen {
  const styled = screenLines(Buffer.from(rows));
  return {
    state: 'captured',
    paneId: '%1',
    observedAt: 5_000,
    lines: styled.map(plainRow),
    styled,
    cursor,
  };
}

/** A reading that tells nothing but the version. */
export const EMPTY_READING: AgentReading = { version: '0.61.0', signs: [], gaps: [], failures: [] };

function metaOf(name: string): Meta {
  const meta = META[name];
  if (!meta) throw new Error(`no recording of ${name}`);
  return meta;
}
