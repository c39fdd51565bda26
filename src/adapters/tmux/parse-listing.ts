import { constants } from 'node:os';
import type { ClientSighting, PaneSighting, SessionSighting } from '../../core/sighting.ts';
import { visible } from '../../core/visible.ts';
import { type ListedRecord, readRecords } from './read-records.ts';

/** A server's whole answer. */
export interface Listing {
  readonly pid: number;
  readonly version: string;
  readonly startedAt?: number;
  readonly sessions: readonly SessionSighting[];
  readonly clients: readonly ClientSighting[];
}

/** tmux 3.3a takes names and titles of any length; no column is wider than this. */
const MAX_TEXT = 1024;
const MAX_COMMAND = 4096;

/** Reads a listing, or says null: half an answer is none. */
export function parseListing(output: string, nonce: string): Listing | null {
  const records = readRecords(output, nonce);
  if (records === null) return null;
  const of = (kind: ListedRecord['kind']): Fields[] =>
    records.filter((record) => record.kind === kind).map((record) => record.fields);
  const [server, ...others] = of('server');
  const sessionFields = of('session');
  const isWhole = of('end').length === 1 || sessionFields.length === 0;
  if (server === undefined || others.length > 0 || !isWhole) return null;
  try {
    const members = countGroups(sessionFields);
    const sessions = new Map(sessionFields.map((fields) => [fields.session_id, readSession(fields)]));
    for (const fields of of('pane')) {
      const session = sessions.get(fields.session_id);
      if (session === undefined) return null;
      session.panes.push(readPane(fields, (members.get(session.group ?? '') ?? 0) > 1));
    }
    return {
      pid: required(server.pid),
      version: visible(nonEmpty(server.version), MAX_TEXT),
      ...optional('startedAt', secondsToMs(server.start_time)),
      sessions: [...sessions.values()],
      clients: of('client').map(readClient),
    };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

type Fields = Readonly<Record<string, string>>;
type Growing<T> = T extends readonly (infer E)[] ? E[] : never;

class Unreadable extends Error {}

function readSession(
  fields: Fields,
): Omit<SessionSighting, 'panes'> & { readonly panes: Growing<SessionSighting['panes']> } {
  const lastAttachedAt = secondsToMs(fields.session_last_attached);
  return {
    sessionId: identifier('$', fields.session_id),
    name: visible(fields.session_name ?? '', MAX_TEXT),
    createdAtSeconds: required(fields.session_created),
    ...(fields.session_group ? { group: visible(fields.session_group, MAX_TEXT) } : {}),
    ...optional('lastAttachedAt', lastAttachedAt),
    panes: [],
  };
}

// window_linked leaves out the sharing inside a group below tmux 3.6, so the group is counted as well.
function readPane(fields: Fields, isGrouped: boolean): PaneSighting {
  const isDead = fields.pane_dead === '1';
  return {
    paneId: identifier('%', fields.pane_id),
    windowId: identifier('@', fields.window_id),
    windowIndex: required(fields.window_index),
    paneIndex: required(fields.pane_index),
    isActive: fields.window_active === '1' && fields.pane_active === '1',
    // A pane without a process (`new-window ''`) reports -1 or 0.
    pid: fields.pane_pid === '-1' ? 0 : required(fields.pane_pid),
    isDead,
    // Builds with utempter lose the status of some dead panes (up to 3.5): then there is none, not zero.
    ...(isDead ? optional('exitStatus', number(fields.pane_dead_status)) : {}),
    ...(isDead ? optional('exitSignal', signalName(fields.pane_dead_signal)) : {}),
    ...(isDead ? optional('diedAt', secondsToMs(fields.pane_dead_time)) : {}),
    ...optional('lastOutputAt', secondsToMs(fields.window_activity)),
    ...(fields.alternate_on ? { isFullScreen: fields.alternate_on === '1' } : {}),
    isInMode: required(fields.pane_in_mode || '0') > 0,
    isWindowShared: fields.window_linked === '1' || isGrouped,
    title: visible(fields.pane_title ?? '', MAX_TEXT),
    startCommand: visible(fields.pane_start_command ?? '', MAX_COMMAND),
    ...(fields.current_path ? { currentPath: fields.current_path } : {}),
    width: required(fields.pane_width),
    height: required(fields.pane_height),
    cursorX: required(fields.cursor_x),
    cursorY: required(fields.cursor_y),
    ...optional('historySize', number(fields.history_size)),
  };
}

function readClient(fields: Fields): ClientSighting {
  return {
    sessionId: identifier('$', fields.session_id),
    tty: visible(fields.client_tty ?? '', MAX_TEXT),
    pid: required(fields.client_pid),
    ...optional('lastInputAt', secondsToMs(fields.client_activity)),
    isControl: fields.client_control_mode === '1',
  };
}

function countGroups(sessions: readonly Fields[]): Map<string, number> {
  const members = new Map<string, number>();
  for (const { session_group: group = '' } of sessions) {
    if (group !== '') members.set(visible(group, MAX_TEXT), (members.get(visible(group, MAX_TEXT)) ?? 0) + 1);
  }
  return members;
}

function identifier(sigil: '$' | '@' | '%', text = ''): string {
  if (!text.startsWith(sigil) || !/^\d+$/.test(text.slice(1))) throw new Unreadable(text);
  return text;
}

function nonEmpty(text = ''): string {
  if (text === '') throw new Unreadable();
  return text;
}

function required(text: string | undefined): number {
  const value = number(text);
  if (value === undefined) throw new Unreadable(text);
  return value;
}

function number(text = ''): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** 0 is how tmux writes "never". */
function secondsToMs(text: string | undefined): number | undefined {
  const seconds = number(text);
  return seconds === undefined || seconds === 0 ? undefined : seconds * 1000;
}

// tmux prints a number or a bare name, as the C library has it.
function signalName(text = ''): string | undefined {
  if (text === '') return undefined;
  const named = Object.entries(constants.signals).find(([, value]) => String(value) === text);
  return named?.[0] ?? `SIG${visible(text, MAX_TEXT).replace(/^SIG/i, '').toUpperCase()}`;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
