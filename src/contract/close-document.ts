import type { Reopening } from '../core/close/reopening.ts';
import type { CloseReport } from '../core/close/report.ts';
import { maskWords, shownCommand } from '../core/text/mask-secrets.ts';
import type { CloseDocument, ReopenDocument, WakeDocument } from './close-schemas.ts';
import { toDocument } from './document.ts';

/** What `rollcall close --json` prints. */
export function toCloseDocument(
  at: number,
  isDryRun: boolean,
  reports: readonly CloseReport[],
): CloseDocument {
  return toDocument({ at, isDryRun, sessions: reports });
}

const LONGEST_LINE = 4096;

/** A session that is there again. */
export interface ReopenedSession {
  readonly key: string;
  readonly name: string;
  readonly receipt: string | null;
  readonly socketPath: string;
  readonly reopening: Reopening;
  readonly missing: readonly string[];
  readonly putBack: readonly string[];
}

/** What `rollcall reopen --json` prints. */
export function toReopenDocument(reopened: ReopenedSession): ReopenDocument {
  const { key, name, receipt, socketPath, reopening, missing, putBack } = reopened;
  const { argv, line, agent, windows, cwd, given } = reopening;
  return toDocument({
    result: 'reopened',
    ...{ key, name, receipt, server: { socketPath }, cwd, reopens: reopening.key },
    argv: argv && maskWords(argv),
    line: line === undefined ? null : shownCommand([line], LONGEST_LINE),
    env: Object.keys(given),
    commands: commandsOf(reopening),
    conversation: agent?.conversation ?? null,
    windows: Math.max(1, windows.length),
    panes: Math.max(
      1,
      windows.reduce((sum, { panes }) => sum + panes.length, 0),
    ),
    missing,
    putBack,
  });
}

/** What `rollcall wake --json` prints. */
export function toWakeDocument(
  { key, name }: { readonly key: string; readonly name: string },
  woken: { readonly state: 'awake' } | (ReopenedSession & { readonly state: 'woken' }),
): WakeDocument {
  const { argv, agent, given, cwd } = woken.state === 'woken' ? woken.reopening : NOTHING;
  const { receipt, missing, putBack } = woken.state === 'woken' ? woken : NOTHING;
  return toDocument({
    result: woken.state,
    ...{ key, name, receipt, cwd, missing, putBack },
    argv: argv && maskWords(argv),
    env: Object.keys(given),
    conversation: agent?.conversation ?? null,
  });
}

const NOTHING = { receipt: null, cwd: null, argv: null, agent: null, given: {}, missing: [], putBack: [] };

/** What its other panes run. */
function commandsOf({ windows }: Reopening): string[][] {
  const panes = windows.flatMap((window) => window.panes);
  return panes.flatMap(({ command }) => (command === undefined ? [] : [maskWords(command)]));
}
