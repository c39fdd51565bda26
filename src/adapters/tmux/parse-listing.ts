import { constants } from 'node:os';
import type { ClientSighting, PaneSighting, SessionSighting } from '../../core/sight/sighting.ts';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { createRecordReader, type ListedFields } from './read-records.ts';

/** A server's whole answer. */
export interface Listing {
  readonly pid: number;
  readonly version: string;
  readonly startedAt?: number;
  readonly sessions: readonly SessionSighting[];
  readonly clients: readonly ClientSighting[];
}

/** tmux takes names and titles of any length; nobody reads more than this. */
const MAX_TEXT = 1024;
const MAX_COMMAND = 4096;

/** Reads a listing, or says null: half an answer is none. */
export type ListingParser = (output: string, nonce: string) => Listing | null;

/** Makes the parser for one server: a pane that says what it said before is the same sighting. */
export function createListingParser(): ListingParser {
  const read = createRecordReader();
  const sightings = new WeakMap<ListedFields<'pane'>, Readonly<Record<'alone' | 'grouped', PaneSighting>>>();
  const sightingOf = (fields: ListedFields<'pane'>, isGrouped: boolean): PaneSighting => {
    let known = sightings.get(fields);
    if (!known) {
      const alone = readPane(fields);
      // Below tmux 3.6 window_linked leaves out sharing inside a group, so the group's members are counted as well.
      known = { alone, grouped: alone.isWindowShared ? alone : { ...alone, isWindowShared: true } };
      sightings.set(fields, known);
    }
    return isGrouped ? known.grouped : known.alone;
  };
  return (output, nonce) => {
    const records = read(output, nonce);
    const [server, ...others] = records?.server ?? [];
    if (records === null || server === undefined || others.length > 0) return null;
    const sessions = new Map<string, SessionSighting & { readonly panes: PaneSighting[] }>();
    const grouped = groupedSessions(records.pane);
    for (const fields of records.pane) {
      const session = sessions.get(fields.session_id) ?? readSession(fields);
      sessions.set(fields.session_id, session);
      session.panes.push(sightingOf(fields, grouped.has(fields.session_id)));
    }
    // A server without sessions ends its answer with its own record.
    if (server['S:.'].length !== sessions.size || records.end.length !== Math.min(1, sessions.size))
      return null;
    return {
      pid: Number(server.pid),
      version: visible(server.version),
      ...optional('startedAt', timeOf(server.start_time)),
      sessions: [...sessions.values()],
      clients: records.client.map(readClient),
    };
  };
}

function readSession(fields: ListedFields<'pane'>): SessionSighting & { readonly panes: PaneSighting[] } {
  return {
    sessionId: fields.session_id,
    name: visible(fields.session_name, MAX_TEXT),
    createdAtSeconds: Number(fields.session_created),
    ...(fields.session_group === '' ? {} : { group: visible(fields.session_group, MAX_TEXT) }),
    ...optional('lastAttachedAt', timeOf(fields.session_last_attached)),
    ...(fields['@rollcall_held'] === '' ? {} : { heldMark: fields['@rollcall_held'].slice(0, MAX_TEXT) }),
    panes: [],
  };
}

function readPane(fields: ListedFields<'pane'>): PaneSighting {
  const pid = Math.max(0, Number(fields.pane_pid));
  // A pane that never had a program (`split-window -I`) is called dead too: somebody may be writing into it.
  const isDead = fields.pane_dead === '1' && pid > 0;
  return {
    paneId: fields.pane_id,
    windowIndex: Number(fields.window_index),
    paneIndex: Number(fields.pane_index),
    isActive: fields.window_active === '1' && fields.pane_active === '1',
    pid,
    isDead,
    ...(isDead ? readDeath(fields) : {}),
    ...optional('lastOutputAt', timeOf(fields.window_activity)),
    ...(fields.alternate_on === '' ? {} : { isFullScreen: fields.alternate_on === '1' }),
    // Counts the modes that lie over the pane, so it may exceed 1.
    isInMode: Number(fields.pane_in_mode) > 0,
    isWindowShared: fields.window_linked === '1',
    ...(fields.pane_pipe === '1' ? { isPiped: true as const } : {}),
    title: visible(maskSecrets(fields.pane_title), MAX_TEXT),
    ...(fields.pane_tty === '' ? {} : { tty: fields.pane_tty }),
    startCommand: visible(fields.pane_start_command, MAX_COMMAND),
    ...(fields.pane_start_path === '' ? {} : { startPath: fields.pane_start_path }),
    ...(fields.pane_current_path === '' ? {} : { currentPath: fields.pane_current_path }),
  };
}

// Builds with utempter lose the status of some dead panes (up to 3.5): then there is none, not zero.
function readDeath(fields: ListedFields<'pane'>): Pick<PaneSighting, 'exitStatus' | 'exitSignal'> {
  return {
    ...optional('exitStatus', numberOf(fields.pane_dead_status)),
    ...optional('exitSignal', signalName(fields.pane_dead_signal)),
  };
}

function readClient(fields: ListedFields<'client'>): ClientSighting {
  return {
    sessionId: fields.session_id,
    tty: visible(fields.client_tty, MAX_TEXT),
    pid: Number(fields.client_pid),
    ...optional('lastInputAt', timeOf(fields.client_activity)),
    isControl: fields.client_control_mode === '1',
  };
}

/** Sessions that share all their windows with another one (`new-session -t`). */
function groupedSessions(panes: readonly ListedFields<'pane'>[]): Set<string> {
  const members = new Map<string, Set<string>>();
  const unclear = new Set<string>();
  for (const { session_group: group, session_id: sessionId, cut } of panes) {
    // A group of which only the beginning is told may have others.
    if (group !== '' && cut !== '') unclear.add(sessionId);
    if (group !== '') members.set(group, (members.get(group) ?? new Set()).add(sessionId));
  }
  const shared = [...members.values()].filter((ids) => ids.size > 1).flatMap((ids) => [...ids]);
  return new Set([...unclear, ...shared]);
}

function numberOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}

/** Epoch seconds in, ms out; 0 is how tmux writes "never". */
function timeOf(text: string): number | undefined {
  return Number(text) === 0 ? undefined : Number(text) * 1000;
}

function signalName(text: string): string | undefined {
  if (text === '') return undefined;
  const named = Object.entries(constants.signals).find(([, value]) => String(value) === text);
  return named?.[0] ?? `SIG${text.replace(/^SIG/i, '').toUpperCase()}`;
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}
