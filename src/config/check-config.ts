import { nearest } from './nearest.ts';
import {
  NOTIFY_RULE_SETTINGS,
  type NotifyValues,
  notifySettingIn,
  toNotifyRules,
} from './notify-settings.ts';
import { EVERY_ROLE, ROLE_SETTINGS, roleSettingIn } from './role-settings.ts';
import { parseValue, placeIn, type SettingPlace, type Value } from './setting.ts';
import { SETTINGS } from './settings-table.ts';

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

/** One valid value of a file, with its whole key: `roles.worker.retainFor`. */
export interface ConfigValue extends SettingPlace {
  readonly key: string;
  readonly value: Value;
}

/** Everything that one file says, and what is wrong with it. */
export interface CheckedConfig {
  readonly values: readonly ConfigValue[];
  readonly roles: readonly ConfigValue[];
  readonly notify: NotifyValues;
  readonly errors: readonly ConfigError[];
}

/** Reads every key of a file's content; one bad key spoils the file, and all bad keys are named at once. */
export function checkConfig(
  file: string,
  content: Readonly<Record<string, unknown>>,
  isProject: boolean,
): CheckedConfig {
  const values: ConfigValue[] = [];
  const roles: ConfigValue[] = [];
  const rules = new Map<string, Record<string, Value>>();
  const errors: ConfigError[] = [];
  const seen = new Set<string>();
  for (const [key, written] of flatten(content)) {
    const [ofRole, ofRule] = [roleSettingIn(key), notifySettingIn(key)];
    const place = ofRole ?? ofRule ?? placeIn(SETTINGS, key);
    // A URL may hold a secret, also one that is wrong. So may any file that a repository's link leads to.
    const isSecret = place?.about.kind === 'url' || (isProject && place === null);
    const shown = isSecret ? '…' : shortJson(written);
    const error = (text: string, hint: string) => errors.push({ file, key, value: shown, text, hint });
    if (place === null) {
      error('is no setting', suggestion(key));
    } else if (seen.has(key)) {
      error('is set twice, nested and with a dot', 'keep one of the two');
    } else if (isProject && place.about.projectMay === 'nothing') {
      error('may not be set by a project file', 'it concerns the machine: set it in your own config file');
    } else {
      seen.add(key);
      const parsed = parseValue(place.about, written);
      if (!parsed.isValid) error(parsed.text, parsed.hint);
      else if (ofRule) setOf(rules, ofRule, parsed.value);
      else (ofRole ? roles : values).push({ ...place, key, value: parsed.value });
    }
  }
  // A rule of which a part is wrong is not judged as a whole.
  const isWhole = errors.every(({ key }) => !key?.startsWith('notify.rules'));
  for (const { rule, text, hint } of isWhole ? toNotifyRules(rules).faults : []) {
    errors.push({ file, key: `notify.rules.${rule}`, value: '{…}', text, hint });
  }
  return { values, roles, notify: rules, errors };
}

/** Notes a value of a role or a rule. */
export function setOf(
  all: Map<string, Record<string, Value>>,
  { owner, name }: SettingPlace,
  value: Value,
): void {
  all.set(owner ?? '', { ...all.get(owner ?? ''), [name]: value });
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
  if (key === 'roles' || key.startsWith('roles.')) return memberSuggestion(key, ROLES);
  if (key === 'notify' || key === 'notify.rules' || key.startsWith('notify.rules.'))
    return memberSuggestion(key, RULES);
  const keys = Object.keys(SETTINGS);
  const [near] = nearest(key, keys);
  return near === undefined
    ? `the settings are ${keys.join(', ')} and those of roles`
    : `did you mean ${near}?`;
}

const ROLES = {
  prefix: 'roles.',
  keys: Object.keys(ROLE_SETTINGS),
  example: '{ "roles": { "worker": { "retainFor": "10m" } } }; the settings of a role',
  name: `has letters, digits and . _ : - or is ${EVERY_ROLE}`,
};
const RULES = {
  prefix: 'notify.rules.',
  keys: Object.keys(NOTIFY_RULE_SETTINGS),
  example:
    '{ "notify": { "rules": { "desk": { "on": ["waiting"], "desktop": "on" } } } }; the settings of a rule',
  name: 'has letters, digits and _ : -',
};

function memberSuggestion(key: string, { prefix, keys, example, name }: typeof ROLES): string {
  const [near] = nearest(key.slice(key.lastIndexOf('.') + 1), keys);
  return near === undefined || key.split('.').length <= prefix.split('.').length
    ? `write ${example} are ${keys.join(', ')}, and its name ${name}`
    : `did you mean ${prefix}NAME.${near}? A name ${name}`;
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
