import { visible } from '../../../core/text/visible.ts';
import { type JsonFields, objectIn } from '../../files/json-object.ts';
import { readEnd, readStart } from './read-file.ts';

/** What tells that a transcript of one record per line is that of a conversation. */
export interface LineProof {
  isOwn(record: JsonFields): boolean;
  /** Something was asked or answered. */
  isTurn(record: JsonFields): boolean;
}

/**
 * A resume reads the whole file. Here its beginning (it names the conversation) and its end (it may be half written) are
 * enough.
 */
const PART_BYTES = 1024 * 1024;

/** What stands against resuming a transcript, by reading its beginning and its end; null where nothing does. */
export function lacksIn(path: string, { isOwn, isTurn }: LineProof): string | null {
  const start = readStart(path, PART_BYTES);
  const end = readEnd(path, PART_BYTES);
  const shown = visible(path, 300);
  if (start.state === 'absent' || end.state === 'absent') return `${shown} is not there`;
  if (start.state === 'failed' || end.state === 'failed') {
    return visible(start.state === 'failed' ? start.text : end.state === 'failed' ? end.text : '', 300);
  }
  // The line that a part begins or ends within is in the other part, or between the two.
  const first = start.text.split('\n').slice(0, start.isCut ? -1 : undefined);
  const last = start.isCut ? end.text.split('\n').slice(1) : [];
  const records = [...first, ...last].filter((line) => line !== '').map(objectIn);
  if (records.length === 0) return `${shown} is empty`;
  if (records.at(-1) === null) return `the last record of ${shown} is cut off`;
  if (records.includes(null)) return `${shown} has a record that cannot be read`;
  const whole = records.filter((record) => record !== null);
  if (!whole.some(isOwn)) return `${shown} is not of this conversation`;
  return whole.some(isTurn) ? null : `nothing was said in ${shown}`;
}
