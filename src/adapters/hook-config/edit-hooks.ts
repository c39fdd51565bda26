import { hookCommand } from '../../core/agent/hook-command.ts';
import { IDLE_COMMAND, isFaithful } from './faithful.ts';
import { JSON_HOOKS, type WantedHooks } from './hook-agents.ts';
import { type AddedItem, addItems, removeItems } from './json-edit.ts';
import { elementsOf, endOf, type JsonNode, type JsonText, memberOf, membersOf } from './json-text.ts';
import { isWhollyOurs, type Owner, ownHandler } from './own-entry.ts';
import { readSettings, type SettingsText, type WrongSettings } from './settings-text.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

/** Lists that stood in the file before any hook of ours; they stay when ours are gone, even when they are empty then. */
export interface KeptLists {
  readonly hooks: boolean;
  readonly events: readonly string[];
}

/** The entry that each event should have. */
export function wantedGroups({ agent, events, stopEvent, script }: WantedHooks): Map<string, object> {
  const { group } = JSON_HOOKS[agent];
  return new Map(
    events.map((event) => [event, group(event, hookCommand(script, agent, event), event === stopEvent)]),
  );
}

/** Adds our entries to a file that has none of them, behind everything that is there. */
export function addHooks(text: string, hooks: WantedHooks) {
  const wanted = wantedGroups(hooks);
  const settings = readSettings(text, hooks);
  if (settings.state === 'wrong') return settings;
  const edits = settings.state === 'blank' ? wholeFile(text, wanted) : editsFor(settings, wanted);
  const after = applyEdits(text, edits);
  const kept =
    settings.state === 'blank' || settings.hooks === null
      ? { hooks: false, events: [] }
      : { hooks: true, events: membersOf(settings.hooks).map(({ key }) => key) };
  return isFaithful(after, text, hooks)
    ? { state: 'done' as const, text: after, edits, kept }
    : unsafe('no place was found where hooks can be added');
}

/** Whether a text is another one without our entries, and nothing else is different. */
export function isTakenOut(text: string, after: string, wanted: WantedHooks): boolean {
  const settings = readSettings(after, wanted);
  const isNoneLeft = settings.state === 'blank' || (settings.state === 'read' && settings.own.length === 0);
  return isNoneLeft && isFaithful(text, after, wanted);
}

/** Takes every entry of ours out again, and the lists that are empty without them. */
export function takeOutHooks(
  text: string,
  wanted: WantedHooks,
  kept: KeptLists | null,
): { readonly state: 'done'; readonly text: string } | WrongSettings {
  const settings = readSettings(text, wanted);
  if (settings.state === 'wrong') return settings;
  if (settings.state === 'blank' || settings.hooks === null) return { state: 'done', text };
  const { json, hooks } = settings;
  const events = membersOf(hooks);
  const emptied = new Set<string>();
  const inside = events.flatMap(({ key, value }) => {
    const groups = elementsOf(value);
    const isOurs = (group: JsonNode | undefined) => isWhollyOurs(group, key, wanted);
    const isEmptied = groups.length > 0 && groups.every(isOurs);
    if (isEmptied && !kept?.events.includes(key)) {
      emptied.add(key);
      return [];
    }
    const edits = removeItems(json, value, (index) => isOurs(groups[index]));
    return [...edits, ...groups.flatMap((group) => handlerEdits(json, group, key, wanted))];
  });
  const isNothingLeft = emptied.size > 0 && emptied.size === events.length && !kept?.hooks;
  const edits = isNothingLeft
    ? removeItems(json, json.root, (index) => membersOf(json.root)[index]?.key === 'hooks')
    : [...inside, ...removeItems(json, hooks, (index) => emptied.has(events[index]?.key ?? ''))];
  const after = applyEdits(text, edits);
  return isFaithful(text, after, wanted)
    ? { state: 'done', text: after }
    : unsafe('the hooks could not be taken out without touching something else');
}

function wholeFile(text: string, wanted: Map<string, object>): TextEdit[] {
  const at = text.startsWith('\ufeff') ? 1 : 0;
  const root = { type: 'object', offset: 0, length: 2 } as const;
  const empty = { state: 'parsed', text: '{}', root, commas: [], comments: [] } as const;
  const added = applyEdits(empty.text, addItems(empty, root, [wholeHooks(wanted)]));
  return [{ at, removed: '', added: `${added}${text.includes('\n') ? '' : '\n'}` }];
}

function editsFor({ json, hooks }: SettingsText, wanted: Map<string, object>): TextEdit[] {
  if (hooks === null) return addItems(json, json.root, [wholeHooks(wanted)]);
  const edits: TextEdit[] = [];
  const missing: AddedItem[] = [];
  for (const [event, group] of wanted) {
    const list = memberOf(hooks, event);
    if (list === undefined) missing.push({ key: event, value: [group] });
    else edits.push(...addItems(json, list, [{ value: group }]));
  }
  return [...edits, ...addItems(json, hooks, missing)];
}

function wholeHooks(wanted: Map<string, object>): AddedItem {
  const value = Object.fromEntries([...wanted].map(([event, group]) => [event, [group]]));
  return { key: 'hooks', value, isSpread: true };
}

/**
 * Removes only our handlers from an entry that has something of the user's. A handler that the user has changed stays,
 * but runs nothing: an agent may refuse settings with a handler without command.
 */
function handlerEdits(json: JsonText, group: JsonNode, event: string, owner: Owner): TextEdit[] {
  const list = memberOf(group, 'hooks');
  if (list?.type !== 'array' || isWhollyOurs(group, event, owner)) return [];
  const own = elementsOf(list).map((handler) => ownHandler(handler, event, owner));
  const changed = own.flatMap((each) => (each === null || each.isAsWritten ? [] : [each.command]));
  const idle = changed.map((command) => ({
    at: command.offset,
    removed: json.text.slice(command.offset, endOf(command)),
    added: JSON.stringify(IDLE_COMMAND),
  }));
  return [...removeItems(json, list, (index) => own[index]?.isAsWritten === true), ...idle];
}

function unsafe(text: string): WrongSettings {
  return { state: 'wrong', line: 1, text, hint: 'edit the hooks in this file by hand' };
}
