import { resolve } from 'node:path';
import type { Problem } from '../core/sight/roll.ts';
import { type BrokenProject, brokenProject } from './broken-project.ts';
import { type ConfigError, type ConfigValue, checkConfig, setOf } from './check-config.ts';
import { type ConfigFileNote, type ConfigPlace, configFiles, writtenIn } from './config-files.ts';
import { type NotifyValues, toNotifyRules } from './notify-settings.ts';
import { readConfigFile } from './read-config-file.ts';
import { type RoleValues, roleIn } from './role-settings.ts';
import { formatValue, type SettingAbout, type Value } from './setting.ts';
import { defaultValues, type Settings, toSettings } from './settings.ts';
import { type SettingValues, settingValues } from './settings-table.ts';

/** The settings in force and where each came from. */
export interface LoadedConfig {
  readonly settings: Settings;
  readonly values: SettingValues;
  /** What files say about roles; the rest has its default. */
  readonly roles: RoleValues;
  /** What the user's file says about notification rules; no other may. */
  readonly notify: NotifyValues;
  /** Files that had a say, in the order in which they were read; a key without one has its default. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly ConfigFileNote[];
  /** What a project file asked for and did not get, and what is wrong with it. */
  readonly notices: readonly Problem[];
}

export type Loading =
  | { readonly state: 'loaded'; readonly config: LoadedConfig }
  | { readonly state: 'broken'; readonly errors: readonly ConfigError[] };

export interface LoadOptions extends ConfigPlace {
  /** Value of `--policy`: what is written there replaces what holds otherwise. */
  readonly policy?: string | undefined;
}

/**
 * Defaults, then the user's file, then that of the project in which the command runs. A file of the user's that exists and
 * is wrong breaks the loading: a setting that someone wrote is never silently replaced by a default. A project's file
 * breaks nothing, because a cloned repository must not switch rollcall off: what is right in it counts, since it can only
 * make rollcall more careful, and for what is wrong the sessions below that folder are protected.
 */
export function loadConfig(options: LoadOptions): Loading {
  const merge = new Merge();
  const { own, project } = configFiles(options);
  merge.read(own.path, own.via);
  if (project !== null) merge.readProject(project);
  if (options.policy !== undefined) merge.read(resolve(options.cwd, options.policy), '--policy');
  return merge.finish();
}

/** What led to a file: one of those in force, or one that is only tried. */
type Via = ConfigFileNote['via'] | '--policy';

class Merge {
  readonly #values: Record<string, Value> = { ...defaultValues() };
  readonly #sources = new Map<string, readonly string[]>();
  readonly #roles = new Map<string, Record<string, Value>>();
  #notify: NotifyValues = new Map();
  readonly #files: ConfigFileNote[] = [];
  readonly #notices: Problem[] = [];
  readonly #errors: ConfigError[] = [];
  readonly #texts: { own: string | null; project: string | null } = { own: null, project: null };
  #brokenProject: BrokenProject | undefined;

  readProject(path: string): void {
    const before = this.#errors.length;
    this.read(path, 'project');
    const broken = brokenProject(path, this.#errors.splice(before));
    if (broken === null) return;
    this.#brokenProject = broken.project;
    this.#notices.push(broken.notice);
  }

  read(path: string, via: Via): void {
    const file = readConfigFile(path, via === 'project');
    if (via !== '--policy') this.#files.push({ path, via, isPresent: file.state !== 'absent' });
    if (file.state === 'absent' && via === 'user') return;
    if (file.state !== 'read') {
      const [text, hint] = file.state === 'failed' ? [file.text, file.hint] : missing(via);
      this.#errors.push({ file: path, key: null, value: null, text, hint });
      return;
    }
    this.#texts[via === 'project' ? 'project' : 'own'] = file.text;
    const { values, roles, notify, errors } = checkConfig(path, file.content, via === 'project');
    this.#errors.push(...errors);
    for (const value of [...values, ...roles]) {
      if (via === 'project') this.#takeFromProject(path, value);
      else this.#set(value, value.value, [path]);
    }
    if (via !== 'project') this.#takeNotify(path, notify);
  }

  finish(): Loading {
    if (this.#errors.length > 0) return { state: 'broken', errors: this.#errors };
    const values = settingValues(this.#values);
    const roles = this.#roles;
    const config = {
      settings: {
        ...toSettings(values, roles, toNotifyRules(this.#notify).rules),
        ...(this.#brokenProject && { brokenProject: this.#brokenProject }),
        // What is said beside the values is said only by whoever read the files.
        written: this.#notices.length > 0 ? null : writtenIn(this.#texts.own, this.#texts.project),
      },
      values,
      roles,
      notify: this.#notify,
      sources: this.#sources,
      files: this.#files,
      notices: this.#notices,
    };
    return { state: 'loaded', config };
  }

  #set(place: ConfigValue, value: Value, sources: readonly string[]): void {
    if (place.owner === null) this.#values[place.name] = value;
    else setOf(this.#roles, place, value);
    this.#sources.set(place.key, sources);
  }

  #takeNotify(path: string, notify: NotifyValues): void {
    this.#notify = notify;
    for (const [rule, own] of notify) {
      for (const key of Object.keys(own)) this.#sources.set(`notify.rules.${rule}.${key}`, [path]);
    }
  }

  /** Only what makes rollcall more careful. */
  #takeFromProject(path: string, asked: ConfigValue): void {
    const { key, about, value } = asked;
    const current = this.#current(asked);
    if (Array.isArray(value) && Array.isArray(current)) {
      const both = [...new Set([...current, ...value])];
      if (asked.owner !== null && both.length === current.length) return;
      this.#set(asked, Object.freeze(both), [...(this.#sources.get(key) ?? []), path]);
    } else if (isMoreCareful(about, value, current)) {
      this.#set(asked, value, [path]);
    } else if (value !== current) {
      this.#notices.push({
        code: 'config-overruled',
        text: `${path} asks for ${key} = ${formatValue(about, value)}; ${formatValue(about, current)} stays`,
        hint: `a project file may only ${about.projectMay} it: set it in your own config file`,
      });
    }
  }

  /** A role without a time of its own waits as long as all others do. */
  #current({ owner, name }: ConfigValue): Value {
    const holding: Readonly<Record<string, Value>> =
      owner === null ? this.#values : roleIn(this.#roles, owner);
    return holding[name] ?? Number(this.#values.idleAfter);
  }
}

function missing(via: Via): [text: string, hint: string] {
  return via === 'project'
    ? ['is a link to nothing', 'repair the link, or remove it']
    : ['does not exist', `${via} has to name a file that does`];
}

function isMoreCareful(about: SettingAbout, value: Value, current: Value): boolean {
  const rank = (one: Value) => about.rank?.(one) ?? Number(one);
  if (about.projectMay === 'raise') return rank(value) > rank(current);
  return about.projectMay === 'lower' && rank(value) < rank(current);
}
