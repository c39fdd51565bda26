import { spoken } from '../../core/text/duration.ts';
import { quotedWord } from '../../core/text/shell-word.ts';
import type { HookStatus } from '../../ports/hook-config.ts';
import type { Tone } from '../render/colour.ts';
import type { Line } from '../render/line.ts';
import { line, padLine, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

const STATES: Readonly<Record<HookStatus['state'], { readonly text: string; readonly tone: Tone }>> = {
  installed: { text: 'installed', tone: 'good' },
  partly: { text: 'partly installed', tone: 'warning' },
  outdated: { text: 'outdated', tone: 'warning' },
  'script-missing': { text: 'installed, but its script is missing', tone: 'alarm' },
  'not-installed': { text: 'not installed', tone: 'quiet' },
  unreadable: { text: 'its settings cannot be read', tone: 'alarm' },
};

const REVIEWS: Readonly<Record<NonNullable<HookStatus['review']>, string>> = {
  reviewed: 'Reviewed in Codex, in this form.',
  changed: 'Reviewed in Codex in another form: Codex will ask again, and not run them before.',
  unreviewed: 'Not reviewed in Codex yet: it asks at its next start, and does not run them before.',
};

/** The hooks of each agent, for a person. */
export function statusLines(statuses: readonly HookStatus[], now: number, width: number | null): Line[] {
  const lines = statuses.flatMap((status) => [
    ...wrap(headOf(status), line(STATES[status.state].text, STATES[status.state].tone), width),
    ...detailsOf(status, now).flatMap((text) => wrap(padLine([], INDENT), line(text, 'quiet'), width)),
  ]);
  const isWanting = statuses.some(({ state }) => MENDABLE.includes(state));
  return isWanting ? [...lines, line(), line('Run rollcall hooks install to mend that.')] : lines;
}

/** The newest backup last, with how to put it back. */
function copiesOf({ file, backups, kept, oldBackups }: HookStatus): string[] {
  const newest = backups.at(-1);
  return [
    ...(newest === undefined ? [] : ['The file as it was before each change:', ...backups]),
    ...(newest === undefined
      ? []
      : [`To put the last one back: cp ${quotedWord(newest)} ${quotedWord(file)}`]),
    ...kept.map(
      (path) =>
        `Somebody wrote to it while rollcall did. To compare: diff ${quotedWord(path)} ${quotedWord(file)}`,
    ),
    ...oldBackups.map(
      (path) => `A backup of an earlier version; remove it if nobody needs it: rm ${quotedWord(path)}`,
    ),
  ];
}

const INDENT = 9;
const MENDABLE: readonly HookStatus['state'][] = ['partly', 'outdated', 'script-missing'];

function headOf({ agent, scope }: HookStatus): Line {
  return padLine([span(agent.padEnd(INDENT), 'heading'), span(scope.padEnd(9), 'quiet')], INDENT + 9);
}

function detailsOf(status: HookStatus, now: number): string[] {
  const { file, state, events, missing, isSwitchedOff, review, lastHeardAt, notes } = status;
  const isThere = events.length > 0;
  return [
    file,
    ...(isThere ? [`Told: ${events.join(' ')}`] : []),
    ...(isThere && missing.length > 0 ? [`Missing: ${missing.join(' ')}`] : []),
    ...(isThere && isSwitchedOff
      ? ['Switched off: the agent’s own settings keep it from running hooks.']
      : []),
    ...(review === null ? [] : [REVIEWS[review]]),
    ...(state !== 'not-installed' && lastHeardAt !== null
      ? [`Last heard ${spoken(now - lastHeardAt)} ago.`]
      : []),
    ...notes,
    ...copiesOf(status),
  ];
}
