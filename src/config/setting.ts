import * as v from 'valibot';

/** A value as a file would have it. */
export type Written = string | number | readonly (string | readonly string[])[];

/** A value as the rest of rollcall takes it. */
export type Value = Written | boolean;

/** As `config explain` calls kinds of values; stable once released. */
export type KindName =
  | 'duration'
  | 'count'
  | 'percent'
  | 'bytes'
  | 'switch'
  | 'tier'
  | 'settle'
  | 'way'
  | 'restore'
  | 'patterns'
  | 'choice'
  | 'words'
  | 'commands'
  | 'command'
  | 'url'
  | 'file';

/** A kind of value: how it is read, and what is said of it. */
export interface Kind {
  readonly kind: KindName;
  readonly schema: v.GenericSchema<unknown, Value>;
  /** Of a list its least and its greatest length. */
  readonly bounds: { readonly min: Written; readonly max: Written };
  /** All values there are, where these are words. */
  readonly choices?: readonly string[];
  /** Writes a value as a file would have it, or as it may be shown; without it, as it is. */
  format?(value: unknown): Written;
  /** Tells how careful a value is, for what a project may only raise or lower; without it, the value itself does. */
  rank?(value: unknown): number;
  /** What to write instead of something that was refused. */
  hint(written: unknown): string;
}

/**
 * What a project file may do to a setting. A cloned repository is not trusted, so it may only make rollcall more
 * careful than its user asked for, and has no say about the machine.
 */
export type ProjectMay = 'raise' | 'lower' | 'add' | 'nothing';

interface Words {
  /** Without it, nothing. */
  readonly projectMay?: ProjectMay;
  readonly means: string;
  /** Why this default and not another. */
  readonly why: string;
}

/** All that is known of a setting. */
export interface SettingAbout extends Kind, Required<Words> {
  /** As a file would have it; null: there is none. */
  readonly default: Written | null;
}

/** Settings by their keys; together they are the entries of a schema, which gives every key a value of its type. */
export type Table = Readonly<
  Record<string, v.GenericSchema<unknown, Value | undefined> & { about: SettingAbout }>
>;
export type ValuesOf<T extends v.ObjectEntries> = Readonly<v.InferOutput<v.ObjectSchema<T, undefined>>>;

/** Where a key leads to: a setting, of a role or a rule where it has an owner. */
export interface SettingPlace {
  readonly owner: string | null;
  readonly name: string;
  readonly about: SettingAbout;
}

/** The place of a setting of that name; null where there is none. */
export function placeIn(table: Table, name: string, owner: string | null = null): SettingPlace | null {
  const about = Object.hasOwn(table, name) ? table[name]?.about : undefined;
  return about === undefined ? null : { owner, name, about };
}

/** A setting with a default. */
export function setting<const K extends Kind, const W extends Words & { readonly default: Written }>(
  kind: K,
  words: W,
) {
  const schema: v.OptionalSchema<K['schema'], Written> = v.optional(kind.schema, words.default);
  return Object.assign(schema, { about: aboutOf(kind, words, words.default) });
}

/** A setting that has no value unless a file gives it one. */
export function unset<const K extends Kind>(kind: K, words: Words) {
  const schema: v.ExactOptionalSchema<K['schema'], undefined> = v.exactOptional(kind.schema);
  return Object.assign(schema, { about: aboutOf(kind, words, null) });
}

/** A value, or why it is none and what would be one. */
export type Parsed<T> =
  | { readonly isValid: true; readonly value: T }
  | { readonly isValid: false; readonly text: string; readonly hint: string };

/** Reads one value as a file or a flag has it, and holds it to its bounds. */
export function parseValue<K extends Pick<Kind, 'schema' | 'hint'>>(
  { schema, hint }: K,
  written: unknown,
): Parsed<v.InferOutput<K['schema']>> {
  const read = v.safeParse(schema, written, { abortEarly: true });
  if (read.success) return { isValid: true, value: read.output };
  return { isValid: false, text: read.issues[0].message, hint: hint(written) };
}

/** Writes a value as a file would have it. */
export function formatValue({ format }: Pick<Kind, 'format'>, value: Value): Written {
  if (format !== undefined) return format(value);
  return typeof value === 'boolean' ? String(value) : value;
}

function aboutOf(
  kind: Kind,
  { projectMay = 'nothing', means, why }: Words,
  standard: Written | null,
): SettingAbout {
  return Object.freeze({ ...kind, default: standard, projectMay, means, why });
}

/** Why a value is none, said behind its name. */
export class SettingRefusal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A schema that reads what a file may have written in several ways. */
export function reading<T>(how: (written: unknown) => T | SettingRefusal) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = how(dataset.value);
      if (!(value instanceof SettingRefusal)) return value;
      addIssue({ message: value.text });
      return NEVER;
    }),
  );
}
