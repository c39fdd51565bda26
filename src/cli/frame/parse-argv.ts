import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../operations/failure.ts';
import type { FlagSpec, FlagSpecs } from './command.ts';

export interface ParsedArgv {
  readonly flags: Readonly<Record<string, boolean | string | readonly string[] | undefined>>;
  readonly words: readonly string[];
}

/** Reads flags and words strictly: what is not understood is an error that says what would be. */
export function parseArgv(argv: readonly string[], specs: FlagSpecs): ParsedArgv {
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') {
      return { flags: toValues(specs, given), words: words.concat(argv.slice(at + 1)) };
    }
    if (!isFlag(token)) {
      words.push(token);
      continue;
    }
    const { name, spec, inline } = findFlag(token, specs);
    const spelled = `--${name}`;
    if (spec.kind === 'switch') {
      if (inline !== undefined) throw usage(`${spelled} takes no value`, `write ${spelled} alone`);
      given.set(name, []);
      continue;
    }
    const following = argv[at + 1];
    if (inline === undefined) at += 1;
    const value = inline ?? (following === undefined || isFlag(following) ? '' : following);
    if (value === '') throw usage(`${spelled} needs a value`, `write ${spelled}=${allowed(spec)}`);
    if (given.has(name) && (spec.kind === 'word' || spec.kind === 'choice')) {
      throw usage(`${spelled} is given twice`, 'give it once');
    }
    given.set(name, [...(given.get(name) ?? []), ...readValues(spelled, spec, value)]);
  }
  return { flags: toValues(specs, given), words };
}

/** Whether a token is a flag; a lone dash is a word, as everywhere. */
export function isFlag(token: string): boolean {
  return token.startsWith('-') && token !== '-';
}

/** The flag that a token names, if it is one of these. */
export function flagNamed(token: string, specs: FlagSpecs): { name: string; spec: FlagSpec } | null {
  const bare = token.split('=', 1)[0] ?? '';
  for (const [name, spec] of Object.entries(specs)) {
    if (bare === `--${name}` || (spec.short !== undefined && bare === `-${spec.short}`))
      return { name, spec };
  }
  return null;
}

function findFlag(
  token: string,
  specs: FlagSpecs,
): { name: string; spec: FlagSpec; inline: string | undefined } {
  const found = flagNamed(token, specs);
  if (found === null) throw unknownFlag(token, specs);
  const equals = token.indexOf('=');
  return { ...found, inline: equals < 0 ? undefined : token.slice(equals + 1) };
}

function unknownFlag(token: string, specs: FlagSpecs): Failure {
  const bare = token.split('=', 1)[0] ?? '';
  const [near] = nearest(
    bare,
    Object.keys(specs).map((name) => `--${name}`),
  );
  const dashed = 'put -- before names that begin with a dash';
  return usage(`unknown flag ${bare}`, near === undefined ? dashed : `did you mean ${near}? (${dashed})`);
}

function readValues(spelled: string, spec: FlagSpec, value: string): string[] {
  if (spec.kind === 'word' || spec.kind === 'words' || spec.kind === 'switch') return [value];
  const parts = spec.kind === 'choice' ? [value] : value.split(',').map((part) => part.trim());
  for (const part of parts) {
    if (part === '')
      throw usage(`${spelled} has an empty part: '${value}'`, `write ${spelled}=${allowed(spec)}`);
    if (spec.kind === 'list' || spec.values.includes(part)) continue;
    const [near] = nearest(part, spec.values);
    const hint = `${near === undefined ? '' : `did you mean ${near}? `}allowed: ${spec.values.join(', ')}`;
    throw usage(`${spelled} cannot be '${part}'`, hint);
  }
  return parts;
}

function allowed(spec: FlagSpec): string {
  if (spec.kind === 'switch') return '';
  return 'values' in spec ? spec.values.join('|') : spec.placeholder;
}

function toValues(specs: FlagSpecs, given: ReadonlyMap<string, string[]>): ParsedArgv['flags'] {
  const flags: Record<string, boolean | string | readonly string[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const values = given.get(name);
    if (spec.kind === 'switch') flags[name] = values !== undefined;
    else if (spec.kind === 'word' || spec.kind === 'choice') flags[name] = values?.[0];
    else flags[name] = [...new Set(values ?? [])];
  }
  return flags;
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
