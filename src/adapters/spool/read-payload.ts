import { isUtf8 } from 'node:buffer';

export type Payload = Readonly<Record<string, unknown>>;

export interface ReadPayload {
  readonly payload: Payload | null;
  /** All of it was there and understood. */
  readonly isWhole: boolean;
}

/**
 * Reads the JSON object that an agent gave its hook. Of one that was cut off, the members before the cut are kept: an
 * event is worth having without the end of a huge tool result.
 */
export function readPayload(bytes: Buffer, isCut: boolean): ReadPayload {
  const text = bytes.toString('utf8');
  const whole = isCut ? null : objectIn(text);
  if (whole !== null) return { payload: whole, isWhole: isUtf8(bytes) };
  const end = lastMemberEnd(text);
  return { payload: end === null ? null : objectIn(`${text.slice(0, end)}}`), isWhole: false };
}

function objectIn(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}

/** Where the last comma between two members of the outermost object is. */
function lastMemberEnd(text: string): number | null {
  let [depth, end] = [0, -1];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) end = at;
  }
  return end === -1 ? null : end;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
