/** A flag that is there or not. */
export function toggle(help: string, short?: string) {
  return { kind: 'switch', help, ...(short !== undefined && { short }) } as const;
}

/** A flag with a value. `isFile`: completed with file names. */
export function word(
  placeholder: string,
  help: string,
  more: { readonly default?: string; readonly isFile?: boolean } = {},
) {
  return { kind: 'word', placeholder, help, ...more } as const;
}

/** A flag that may be repeated; its values may hold commas. */
export function words(placeholder: string, help: string) {
  return { kind: 'words', placeholder, help } as const;
}

/** A flag with one of these values. */
export function choice<const V extends string>(
  placeholder: string,
  values: readonly V[],
  help: string,
  more: { readonly default?: V } = {},
) {
  return { kind: 'choice', placeholder, values, help, ...more } as const;
}

/** A flag with some of these values: it may be repeated, and each value may be a comma list. */
export function choices<const V extends string>(placeholder: string, values: readonly V[], help: string) {
  return { kind: 'choices', placeholder, values, help } as const;
}

/** The same with any values. */
export function list(placeholder: string, help: string) {
  return { kind: 'list', placeholder, help } as const;
}
