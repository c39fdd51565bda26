/** What the driver asks the scripted model to do; written into the prompt, so that any agent carries it there. */
export interface Order {
  readonly verb: string;
  readonly argument: string;
  /** Tells whose request it is, whatever the agent makes of the conversation. */
  readonly tag: string;
}

// Nothing in it may open one of the agents' menus, as `@`, `/`, `#` and `!` do.
const ORDER = /\bDO ([a-z-]{1,20})((?: [^\n()]{1,400})?) \(([a-z0-9-]{1,30})\)/g;

/** The last order in a text, or null. Agents put their own words around a prompt and repeat earlier ones. */
export function lastOrder(text: string): Order | null {
  const found = [...text.matchAll(ORDER)].at(-1);
  return found ? { verb: found[1] ?? '', argument: (found[2] ?? '').trim(), tag: found[3] ?? '' } : null;
}

/** The text of a prompt that carries an order. */
export function promptFor({ verb, argument, tag }: Order): string {
  return `DO ${verb}${argument && ` ${argument}`} (${tag})`;
}

/** A subagent's requests belong to the order that started it. */
export function ownerOf(tag: string): string {
  return tag.split('-')[0] ?? tag;
}
