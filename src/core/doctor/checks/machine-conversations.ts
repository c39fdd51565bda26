import { dayOf } from '../../conversation/kept.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { LostConversation } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** More of them are counted and not listed. */
const MOST_LISTED = 20;

/** Whether receipts can still be resumed: copies go when there is no room for them, and agents delete what is old. */
export const conversations: DoctorCheck = {
  name: 'conversations',
  group: 'machine',
  scope: 'machine',
  looksAt: 'conversations of closed sessions whose copies were removed to make room',
  examine: ({ machine: { conversations: seen } }) => {
    if (seen.lost.length === 0) return [];
    const taken = `${seen.count} copies take ${seen.bytes} of ${seen.maxBytes} bytes`;
    return seen.lost.slice(0, MOST_LISTED).map((one) => gone(one, taken, seen.lost.length));
  },
};

function gone(one: LostConversation, taken: string, total: number): FindingParts {
  const { receipt, agent, removedAt, path } = one;
  const more = total > MOST_LISTED ? [`${total} conversations are gone in all`] : [];
  return {
    class: 'conversation-gone',
    severity: 'warning',
    text: `the ${visible(agent, 40)} conversation of receipt ${visible(receipt, 80)} is gone: ${visible(path, 200)} was deleted, and its copy was removed on ${dayOf(removedAt)}`,
    evidence: [taken, ...more],
    advice: ['keep more: raise archive.keepConversations; what is gone stays gone'],
  };
}
