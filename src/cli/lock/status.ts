import { toLockStatusDocument } from '../../contract/lock-document.ts';
import { type LockSighting, leftBehind } from '../../core/lock/sighting.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import { type Line, line, span } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import { show } from '../render/show.ts';
import { paragraph } from '../render/wrap.ts';
import { holdingText, lastHolderText, processText } from './holding.ts';
import { rootOf } from './lock.ts';

export const lockStatusCommand = defineCommand({
  name: 'lock status',
  summary: 'Show which locks are held, and by whom.',
  usage: ['rollcall lock status [--project DIR] [flags]'],
  description: [
    'Shows every lock of this user, or of one project: held or free, who took it, for which task, since when, and every process that holds it now, also those that merely inherited it from a runner that is gone.',
    'Whether a lock is held is asked of the kernel, never of what a file says. On Linux a holder is shown also where its lock file was removed, or the project has another path by now. What a former holder left in the file of a free lock is shown as stale; it locks nothing. Looking takes no lock, and is in nobody’s way.',
  ],
  flags: {
    project: word('DIR', 'Only the locks of the project around this folder.', { isFile: true }),
  },
  examples: {
    'rollcall lock status': 'every lock',
    'rollcall lock status --project .': 'of this project',
    "rollcall lock status --json | jq '.locks[] | {name, state}'": 'for programs',
  },
  exits: {
    done: 'the locks were printed, also when there are none',
    failed: 'the folder of the locks cannot be trusted',
    usage: 'an unknown flag',
    'not-found': 'the project’s folder does not exist',
  },
  run: async ({ flags, surroundings }) => {
    const desk = await surroundings.lockDesk();
    const project = flags.project === undefined ? undefined : rootOf(desk, flags.project);
    const seen = desk.locks.sightings(project);
    if (seen.state === 'failed') throw new Failure('failed', seen.text, { hint: seen.hint });
    const now = surroundings.now();
    return show({ flags, surroundings }, toLockStatusDocument(seen.locks, now), (width) =>
      lockStatusLines(seen.locks, now, width),
    );
  },
});

/** Held locks first, then free ones with who had them last. */
function lockStatusLines(locks: readonly LockSighting[], now: number, width: number | null): Line[] {
  if (locks.length === 0) return [line('No locks.')];
  const held = locks.filter(({ state }) => state === 'held');
  const free = locks.filter(({ state }) => state === 'free');
  return [...held, ...free].flatMap((lock) => {
    const tone = lock.state === 'held' ? 'warning' : 'quiet';
    const title = [span(lock.name, 'heading'), span(`  ${lock.project ?? 'the whole account'}`)];
    const details = lock.state === 'held' ? heldTexts(lock, now) : freeTexts(lock, now);
    return [
      ...labelled(lock.state, title, width, { room: 6, tone }),
      ...details.flatMap((text) => paragraph(text, width, 6, 'quiet')),
    ];
  });
}

function heldTexts(lock: LockSighting, now: number): string[] {
  const left = leftBehind(lock);
  const last = lock.holderLife === 'gone' ? lastHolderText(lock, now) : null;
  return [
    `by ${holdingText(lock, now)}`,
    ...(last === null ? [] : [`Taken by ${last}, which is gone.`]),
    ...(lock.heldBy ?? []).map(processText),
    ...(left.length === 0 ? [] : [`Free once these end: kill ${left.map(({ pid }) => pid).join(' ')}`]),
  ];
}

function freeTexts(lock: LockSighting, now: number): string[] {
  const last = lastHolderText(lock, now);
  return last === null ? [] : [`stale: last held by ${last}`];
}
