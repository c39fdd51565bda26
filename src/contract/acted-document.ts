import type { HostIdentity } from '../core/sight/identity.ts';
import type { SessionEntry } from '../core/sight/roll.ts';
import type { ActedDocument } from './acted-schema.ts';
import { toDocument } from './document.ts';
import { toSessionObject } from './roll-document.ts';

/** A session to which something was done, as the commands that act print it. */
export function toActedDocument(
  result: ActedDocument['result'],
  entry: SessionEntry,
  host: HostIdentity,
  note?: string,
): ActedDocument {
  return toDocument({ result, ...(note !== undefined && { note }), ...toSessionObject(entry, host) });
}
