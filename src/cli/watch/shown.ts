import type { SessionEntry } from '../../core/sight/roll.ts';
import { activityWords } from '../render/tones.ts';
import { why } from '../roll/why.ts';
import type { WatchState } from './state.ts';

/** The sessions that pass the filters set on the screen: every word typed must occur in what the row says. */
export function shownEntries(
  state: Pick<WatchState, 'roll' | 'filterText' | 'lifecycle'>,
): readonly SessionEntry[] {
  const entries = state.roll?.sessions ?? [];
  const words = state.filterText.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && state.lifecycle === null) return entries;
  return entries.filter((entry) => {
    if (state.lifecycle !== null && entry.lifecycle !== state.lifecycle) return false;
    if (words.length === 0) return true;
    const text = rowText(entry);
    return words.every((word) => text.includes(word));
  });
}

function rowText(entry: SessionEntry): string {
  const parts = [
    entry.name,
    entry.server.label,
    entry.agent?.kind,
    activityWords(entry),
    entry.lifecycle,
    entry.task,
    entry.role,
    why(entry),
  ];
  return parts.join('\n').toLowerCase();
}
