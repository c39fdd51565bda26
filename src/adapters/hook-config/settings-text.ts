import { JSON_HOOKS, type WantedHooks } from './hook-agents.ts';
import { elementsOf, type JsonNode, type JsonText, membersOf, parseJsonText, placeOf } from './json-text.ts';
import { doubledMember, type OwnCall, ownCalls } from './own-entry.ts';

/** A settings file that can be edited. */
export interface SettingsText {
  readonly state: 'read';
  readonly json: JsonText;
  readonly hooks: JsonNode | null;
  readonly own: readonly OwnCall[];
}

export interface WrongSettings {
  readonly state: 'wrong';
  readonly line: number;
  readonly text: string;
  readonly hint: string;
}

/** Reads a settings file as far as hooks go. What the agent would not read, or would read in two ways, is wrong. */
export function readSettings(
  text: string,
  wanted: Pick<WantedHooks, 'agent' | 'events' | 'script' | 'earlierScripts'>,
): SettingsText | { readonly state: 'blank' } | WrongSettings {
  const { agent, events } = wanted;
  const { title, dialect } = JSON_HOOKS[agent];
  const wrong = (at: number, what: string, hint: string): WrongSettings => {
    const { line, column } = placeOf(text, at);
    return { state: 'wrong', line, text: `${what} (line ${line}, column ${column})`, hint };
  };
  const repair = `${title} cannot read this file either: mend it, then try again`;
  if (text.startsWith('\ufeff') && !dialect.hasByteOrderMark) {
    return wrong(0, 'it begins with a byte order mark', repair);
  }
  if (text.trim() === '') return { state: 'blank' };
  const json = parseJsonText(text, { comments: dialect.hasComments });
  if (json.state === 'broken') return wrong(json.at, json.text, repair);
  const { root } = json;
  if (root.type !== 'object') return wrong(root.offset, 'the settings are not an object', repair);
  const [member, second] = membersOf(root).filter(({ key }) => key === 'hooks');
  const merge = 'it stands there twice, and only the last one counts: make one of the two';
  if (second !== undefined) return wrong(second.start, '"hooks" stands here a second time', merge);
  if (member === undefined) return { state: 'read', json, hooks: null, own: [] };
  const hooks = member.value;
  const wants = (what: string) => `${title} wants ${what}: mend it, then try again`;
  if (hooks.type !== 'object') {
    return wrong(member.start, '"hooks" is not an object', wants('an object of events'));
  }
  const seen = new Set<string>();
  for (const { key, value, start } of membersOf(hooks)) {
    if (seen.has(key)) return wrong(start, `"hooks.${key}" stands here a second time`, merge);
    seen.add(key);
    if (events.includes(key) && value.type !== 'array') {
      return wrong(start, `"hooks.${key}" is not a list`, wants('a list of hooks'));
    }
    const doubled = elementsOf(value).map((group) => doubledMember(group, key, wanted));
    const found = doubled.find((each) => each !== null);
    if (found) {
      return wrong(found.start, `"${found.key}" stands here a second time, in an entry of rollcall's`, merge);
    }
  }
  return { state: 'read', json, hooks, own: ownCalls(hooks, wanted) };
}
