import { nearest } from './nearest.ts';
import { parseValue } from './parse-value.ts';
import type { Setting, SettingKey } from './settings.ts';
import { SETTINGS } from './settings.ts';

const DEEPEST = 4;

/** What is wrong with a file: which key and value, why, and what to do. */
export interface ConfigError {
  readonly file: string;
  readonly key: string | null;
  /** As JSON, the way the file has it. */
  readonly value: string | null;
  readonly text: string;
  readonly hint: string;
}

/** One valid value of a file. */
export interface ConfigValue {
  readonly setting: Setting;
  readonly value: number | readonly string[];
}

/** Reads every key of a file's content; one bad key spoils the file, and all bad keys are named at once. */
export function checkConfig(
  file: string,
  content: Readonly<Record<string, unknown>>,
  isProject: boolean,
): { readonly values: readonly ConfigValue[]; readonly errors: readonly ConfigError[] } {
  const values: ConfigValue[] = [];
  const errors: ConfigError[] = [];
  const seen = new Set<SettingKey>();
  for (const [key, written] of flatten(content)) {
    const error = (text: string, hint: string) =>
      errors.push({ file, key, value: shortJson(written), text, hint });
    const setting = SETTINGS.find((candidate) => candidate.key === key);
    if (setting === undefined) {
      error('is no setting', suggestion(key));
    } else if (seen.has(setting.key)) {
      error('is set twice, nested and with a dot', 'keep one of the two');
    } else if (isProject && setting.projectMay === 'nothing') {
      error('may not be set by a project file', 'it concerns the machine: set it in your own config file');
    } else {
      seen.add(setting.key);
      const parsed = parseValue(setting, written);
      if (parsed.isValid) values.push({ setting, value: parsed.value });
      else error(parsed.text, parsed.hint);
    }
  }
  return { values, errors };
}

function* flatten(
  content: Readonly<Record<string, unknown>>,
  prefix = '',
  depth = 1,
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(content)) {
    const isLevel = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isLevel && depth < DEEPEST) {
      yield* flatten(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`, depth + 1);
    } else {
      yield [prefix + name, value];
    }
  }
}

function suggestion(key: string): string {
  const keys = SETTINGS.map((setting) => setting.key);
  const [near] = nearest(key, keys);
  return near === undefined ? `the settings are ${keys.join(', ')}` : `did you mean ${near}?`;
}

// What is nested is not worth printing, and stringify would recurse into it as deep as a hostile file goes.
function shortJson(value: unknown): string {
  const isNested = (part: unknown) => typeof part === 'object' && part !== null;
  if (Array.isArray(value)) return clipped(value.some(isNested) ? '[…]' : JSON.stringify(value));
  return clipped(isNested(value) ? '{…}' : JSON.stringify(value));
}

function clipped(json: string): string {
  return json.length > 60 ? `${json.slice(0, 59)}…` : json;
}
