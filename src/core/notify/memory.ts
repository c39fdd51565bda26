import * as v from 'valibot';
import { byName, whole } from '../../schema/recorded.ts';
import type { Moment } from '../text/moment.ts';
import type { WithheldCounts } from './notification.ts';

/** One thing that was told. Times are on the clock that stands still in suspend. */
export interface ToldNotice {
  /** Event and key of the condition. */
  readonly id: string;
  readonly awakeMs: number;
  /** It was not seen to end since. */
  readonly isOn: boolean;
  readonly seenMs: number;
}

/** What one rule has used of its hour. */
export interface RuleUse {
  readonly sentMs: readonly number[];
  /** Not told, and not yet said to be. */
  readonly withheld: WithheldCounts;
}

/** What one daemon leaves to the next, so that a restart tells nothing twice. */
export interface NotifyMemory {
  readonly format: 1;
  readonly bootId: string;
  readonly told: readonly ToldNotice[];
  readonly rules: Readonly<Record<string, RuleUse>>;
}

/** More things at a time than anybody has sessions for; what is more is not told before others have ended. */
export const MOST_TOLD = 5000;

/** Nothing was ever told. */
export function emptyMemory(bootId: string): NotifyMemory {
  return { format: 1, bootId, told: [], rules: {} };
}

/** Whether what was read is a memory of this format. Its own program wrote it, so its outline is enough. */
export function isNotifyMemory(value: unknown): value is NotifyMemory {
  return v.is(outline, value);
}

const time = v.pipe(v.number(), v.finite());
const outline = whole({
  format: v.literal(1),
  bootId: v.string(),
  told: v.array(whole({ id: v.string(), awakeMs: time, isOn: v.boolean() })),
  rules: byName(whole({ sentMs: v.array(time), withheld: byName(time) })),
});

/**
 * The memory of an earlier daemon on today's clock. That one did not run meanwhile, so what it told counts as just seen;
 * and after a reboot as just told, because its clock began anew.
 */
export function carriedOver(stored: NotifyMemory, bootId: string, { awakeMs }: Moment): NotifyMemory {
  const isSameBoot = stored.bootId === bootId;
  const then = (ms: number) => (isSameBoot ? Math.min(ms, awakeMs) : awakeMs);
  const told = stored.told
    .slice(-MOST_TOLD)
    .map(({ id, awakeMs: toldMs, isOn }) => ({ id, awakeMs: then(toldMs), isOn, seenMs: awakeMs }));
  const rules = Object.entries(stored.rules).map(([name, { sentMs, withheld }]) => [
    name,
    { sentMs: isSameBoot ? sentMs.map(then) : [], withheld },
  ]);
  return { format: 1, bootId, told, rules: Object.fromEntries(rules) };
}
