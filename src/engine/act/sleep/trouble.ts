import { reopenedOr } from '../reopen/trouble.ts';
import { isTrouble, type Trouble, trouble } from '../trouble.ts';
import type { WakeResult } from './wake-order.ts';

export type Woken = Extract<WakeResult, { state: 'woken' | 'awake' }>;

/** What is awake, or why it is not. */
export function wokenOr(result: WakeResult, now: number): Woken | Trouble {
  switch (result.state) {
    case 'woken':
    case 'awake':
      return result;
    case 'sleeper-gone':
      return trouble('refused', `its sleeper is not there any more: ${result.text}`, {
        hint: `rollcall reopen ${result.receipt} starts its agent again`,
      });
    case 'sleeps-on':
      return trouble('failed', 'its program ended at once; it sleeps on', {
        details: result.end?.screen ?? [],
        hint: 'its receipt stays; try the command of its agent by hand',
      });
    default: {
      const told = reopenedOr(result, now);
      // Nothing here can have been reopened.
      return isTrouble(told) ? told : trouble('failed', 'it was not woken');
    }
  }
}
