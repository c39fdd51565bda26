import type { Tier } from '../pressure/tier.ts';
import type { Moment } from '../text/moment.ts';
import type { ReapMode } from './mode.ts';
import type { ReapEvent, Relief } from './standing.ts';

/** When and under what something happened. */
export interface ReapMoment {
  readonly mode: ReapMode;
  readonly tier: Tier;
  readonly now: Moment;
}

/** Which session it is about, and what would have been or was given back. */
interface About {
  readonly key: string;
  readonly name: string;
  readonly relief?: Relief | null;
  readonly memoryBytes?: number | null;
  readonly receipt?: string | null;
}

export function reapEvent(
  kind: ReapEvent['kind'],
  { mode, tier, now }: ReapMoment,
  about: About | null,
  { code, text }: { readonly code: string; readonly text: string },
): ReapEvent {
  return {
    ...{ kind, at: now.at, mode, tier },
    session: about && { key: about.key, name: about.name },
    relief: about?.relief ?? null,
    ...{ code, text },
    memoryBytes: about?.memoryBytes ?? null,
    receipt: about?.receipt ?? null,
  };
}
