import type { Json, JsonObject } from './json.ts';

/** A value as JSON has it: nothing undefined, no class, so that it may be recorded. */
export function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

export function objectIn(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberIn(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** A list of words, or null where it holds anything else or nothing. */
export function wordsIn(value: Json | undefined): readonly string[] | null {
  const words = listIn(value).filter((word) => typeof word === 'string');
  return words.length > 0 && words.length === listIn(value).length ? words : null;
}

/** What of an object is text, by its name. */
export function textFieldsIn(value: Json | undefined): Record<string, string> {
  const entries = Object.entries(objectIn(value) ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The object that a text is; null where it is none. */
export function parsedObject(text: string): JsonObject | null {
  try {
    return objectIn(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** What of a list is text. */
export function textsIn(value: Json | undefined): readonly string[] {
  return listIn(value).filter((one) => typeof one === 'string');
}
