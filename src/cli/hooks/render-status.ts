import { spoken } from '../../core/text/duration.ts';
import { quotedWord } from '../../core/text/shell-word.ts';
import type { HookStatus } from '../../ports/hook-config.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const STATES: Readonly<Record<HookStatus['state'], readonly [text: string, tone: Tone]>> = {
  installed: ['installed', 'good'],
  partly: ['partly installed', 'warning'],
  outdated: ['outdated', 'warning'],
  'script-missing': ['installed, but its script is missing', 'alarm'],
  'not-installed': ['not installed', 'quiet'],
  unreadable: ['its settings cannot be read', 'alarm'],
};

const REVIEWS: Readonly<Record<NonNullable<HookStatus['review']>, string>> = {
  reviewed: 'Reviewed in Codex, in this form.',
  changed: 'Reviewed in Codex in another form: Codex will ask again, and not run them before.',
  unreviewed: 'Not reviewed in Codex yet: it asks at its next start, and does not run them before.',
};

const MENDABLE: readonly HookStatus['state'][] = ['partly', 'outdated', 'script-missing'];
const INDENT = 9;

/** The hooks of each agent, for a person. */
export function statusLines(statuses: readonly HookStatus[], now: number, width: number | null): Line[] {
  const lines = statuses.flatMap((status) => {
    const head = [span(status.agent.padEnd(INDENT), 'heading'), span(status.scope.padEnd(9), 'quiet')];
    return [
      ...wrap(head, line(...STATES[status.state]), width),
      ...detailsOf(status, now).flatMap((text) => paragraph(text, width, INDENT, 'quiet')),
    ];
  });
  const isWanting = statuses.some(({ state }) => MENDABLE.includes(state));
  return isWanting ? [...lines, line(), line('Run rollcall hooks install to mend that.')] : lines;
}

/** The newest backup last, with how to put it back. */
function copiesOf({ file, backups, kept, oldBackups }: HookStatus): string[] {
  const newest = backups.at(-1);
  return [
    ...(newest === undefined
      ? []
      : [
          'The file as it was before each change:',
          ...backups,
          `To put the last one back: cp ${quotedWord(newest)} ${quotedWord(file)}`,
        ]),
    ...kept.map(
      (path) =>
        `Somebody wrote to it while rollcall did. To compare: diff ${quotedWord(path)} ${quotedWord(file)}`,
    ),
    ...oldBackups.map(
      (path) => `A backup of an earlier version; remove it if nobody needs it: rm ${quotedWord(path)}`,
    ),
  ];
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
