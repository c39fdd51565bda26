import { type LockSighting, leftBehind } from '../../core/lock/sighting.ts';
import type { Line } from '../render/line.ts';
import { line, padLine, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';
import { holdingText, lastHolderText, processText } from './holding.ts';

/** Locks for a person: held ones first, then free ones with who had them last. */
export function lockStatusLines(locks: readonly LockSighting[], now: number, width: number | null): Line[] {
  if (locks.length === 0) return [line('No locks.')];
  const held = locks.filter(({ state }) => state === 'held');
  const free = locks.filter(({ state }) => state === 'free');
  return [...held, ...free].flatMap((lock) => lockLines(lock, now, width));
}

function lockLines(lock: LockSighting, now: number, width: number | null): Line[] {
  const isHeld = lock.state === 'held';
  const state = isHeld ? span('held  ', 'warning') : span('free  ', 'quiet');
  const title = [span(lock.name, 'heading'), span(`  ${lock.project ?? 'the whole account'}`)];
  const body = isHeld ? heldTexts(lock, now) : freeTexts(lock, now);
  return [
    ...wrap([state], title, width),
    ...body.flatMap((text) => wrap(padLine([], INDENT), line(text, 'quiet'), width)),
  ];
}

const INDENT = 6;

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
