import type { Moment } from '../../core/text/moment.ts';

/** Which of some keys were told in every call for at least so long; awake time. */
export function lastingFor(ms: number): (keys: readonly string[], now: Moment) => ReadonlySet<string> {
  let since = new Map<string, number>();
  return (keys, { awakeMs }) => {
    since = new Map(keys.map((key) => [key, since.get(key) ?? awakeMs]));
    return new Set(keys.filter((key) => awakeMs - (since.get(key) ?? awakeMs) >= ms));
  };
}
