import { formatValue, parseValue } from './parse-value.ts';
import type { RoleSetting, RoleValue } from './role-settings.ts';

/** A value of a role, or why it is none and what would be one. */
export type ParsedRole =
  | { readonly isValid: true; readonly value: RoleValue }
  | { readonly isValid: false; readonly text: string; readonly hint: string };

const LONGEST_WORD = 4096;
const MOST_WORDS = 100;

/** Reads one value of a role as a file has it. */
export function parseRoleValue(setting: RoleSetting, written: unknown): ParsedRole {
  switch (setting.kind) {
    case 'duration':
      return parseValue(setting, written);
    case 'choice':
      return isWord(setting.words, written)
        ? { isValid: true, value: written }
        : refuse('is none of its words', `write ${either(setting.words)}`);
    case 'words':
      return parseWords(setting.words, written);
    case 'commands':
      return parseCommands(setting.max, written);
  }
}

/** Writes a value as a file would have it. */
export function formatRoleValue(setting: RoleSetting, value: RoleValue): RoleValue {
  return typeof value === 'number' && setting.kind === 'duration' ? formatValue('duration', value) : value;
}

function parseWords(words: readonly string[], written: unknown): ParsedRole {
  const hint = `write a list with any of ${words.map((word) => `"${word}"`).join(', ')}`;
  if (!Array.isArray(written)) return refuse('is not a list', hint);
  const strange = written.some((one) => !isWord(words, one));
  return strange
    ? refuse('holds a word that it does not know', hint)
    : { isValid: true, value: Object.freeze([...new Set<string>(written)]) };
}

function parseCommands(most: number, written: unknown): ParsedRole {
  const hint = 'write a list of command lines, each a list of words: [["npm", "test"]]';
  if (!Array.isArray(written)) return refuse('is not a list', hint);
  if (written.length > most) return refuse(`has more than ${most} commands`, hint);
  return written.every(isCommand)
    ? { isValid: true, value: Object.freeze(written.map((command) => Object.freeze([...command]))) }
    : refuse('holds something that is not a command line', hint);
}

/** Whether it is a command line: some words, the first of which names a program. */
export function isCommand(value: unknown): value is string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_WORDS;
  if (!isList || value[0] === '') return false;
  return value.every(
    (word) => typeof word === 'string' && word.length <= LONGEST_WORD && !word.includes('\0'),
  );
}

function isWord<W extends string>(words: readonly W[], value: unknown): value is W {
  return words.some((word) => word === value);
}

function either(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ');
}

function refuse(text: string, hint: string): ParsedRole {
  return { isValid: false, text, hint };
}
