import * as v from 'valibot';
import { type CloseDocument, closeDocumentSchema } from '../src/contract/close-schemas.ts';
import type { SessionObject } from '../src/contract/session-schema.ts';
import { NotReached } from './until.ts';

/** What a close said of its one session. */
export function closingOf(document: Record<string, unknown>): CloseDocument['sessions'][number] {
  const [one] = v.parse(closeDocumentSchema, document).sessions;
  if (one === undefined) throw new NotReached('the close names no session');
  return one;
}

/** The rungs on a receipt; throws where they are not those of the agent's own exit. */
export function ownExitOf(receipt: CloseDocument['sessions'][number]['receipt']): string {
  const text = (receipt?.rungs ?? []).map(({ rung, result }) => `${rung} ${result}`).join(', ');
  if (!/ask done/.test(text) || /terminate|kill/.test(text)) throw new NotReached(`closed by force: ${text}`);
  return text;
}

/** A session's lifecycle, and how its program ended. */
export function endOf({ lifecycle, ended }: SessionObject): string {
  if (ended === null) return `${lifecycle}, no end seen`;
  const { exitStatus, exitSignal } = ended;
  return `${lifecycle}, ${exitSignal === null ? `status ${exitStatus}` : `signal ${exitSignal}`}`;
}

export function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new NotReached(otherwise);
}
