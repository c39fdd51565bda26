import type { Acted, PaneTarget, SessionTarget, Stance, Stanced, Terms } from '../../../ports/actuator.ts';
import { longer } from '../bounded-format.ts';
import { actIf, actInSession, asActed, NOT_IDS, type Reach } from './act-if.ts';
import {
  beforeSecond,
  type Fact,
  fact,
  IN_MODE,
  isPaneOfSession,
  isSession,
  sessionAddress,
  sessionFacts,
  TIME,
} from './facts.ts';

/** Two names that begin alike may go on otherwise, so a longer one (a program chooses it) is not compared at all. */
const LONGEST_PROGRAM = 200;
/** Stands in no name that is compared. */
const LONG = '=long=';

/** Where a pane's program and its output stand. Names of programs hold anything, so only plain letters are compared. */
const MOTION = [
  '#{pane_dead}',
  `#{?${longer('#{pane_current_command}', LONGEST_PROGRAM)},${LONG},#{s/[^A-Za-z0-9_.-]/_/:pane_current_command}}`,
  ...['#{cursor_x}', '#{cursor_y}', '#{alternate_on}', '#{history_size}', '#{window_activity}'],
].join('/');

const ofAllPanes = (format: string): string => `#{W:#{P:${format} }}`;

/** What makes up a stance. What this tmux does not know is empty here and in the comparison. */
const ASKED = {
  at: TIME,
  // Somebody who is attached through another session of its group counts as well.
  attached: '#{session_attached}/#{session_group_attached}',
  lastAttached: '#{session_last_attached}',
  group: '#{session_grouped}/#{session_group_size}',
  held: '#{==:#{@rollcall_held},}',
  // With its last session a server ends, and so does everything that it runs.
  alone: '#{==:#{server_sessions},1}',
  piped: ofAllPanes('#{pane_pipe}'),
  panes: ofAllPanes('#{pane_id}=#{pane_pid}'),
  linked: ofAllPanes('#{window_linked}'),
  modes: ofAllPanes('#{pane_in_mode}'),
  motion: ofAllPanes(MOTION),
} as const;

type Written = Readonly<Record<keyof typeof ASKED, string>>;

const OTHER_PANES = 'its panes are not the same any more';
const STIRRED = 'its output or its programs moved';

/** Reads how a session stands, all in one command. */
export async function readStance(reach: Reach, session: SessionTarget): Promise<Stanced> {
  const asked = Object.values(ASKED).join(SEPARATOR);
  const told = await actInSession(reach, session, (target) => [
    ['display-message', '-p', '-t', target, asked],
  ]);
  // Counted from when it was asked, a late answer would leave a server more time than anybody waits.
  const toldAt = performance.now();
  if (told.state !== 'done') return told;
  const values = told.printed.toString('latin1').replace(/\n$/, '').split(SEPARATOR);
  const names = Object.keys(ASKED);
  if (values.length !== names.length || !values.every((value) => COMPARABLE.test(value))) return UNREADABLE;
  const written = Object.fromEntries(names.map((name, index) => [name, values[index]])) as Written;
  if (!/^(?:%\d{1,15}=-?\d{1,15} )+$/.test(written.panes)) return UNREADABLE;
  const panes = written.panes.trimEnd().split(' ').map(paneIn);
  return { state: 'seen', stance: { session, panes: [...new Map(panes).values()], written, toldAt } };
}

/** What tmux has to find of the whole session; null where the stance is none. */
export function stanceFacts({ stance, aside }: Terms, timeoutMs: number): Fact[] | null {
  const { session } = stance;
  const written = writtenIn(stance);
  if (written === null) return null;
  return [
    ...inTime(stance, timeoutMs),
    ...sessionFacts(session),
    ...peopleFacts(written, aside),
    ...(written.alone === '1' ? [] : [fact(ASKED.alone, written.alone, 'it is the last of its server now')]),
    fact(ASKED.panes, written.panes, OTHER_PANES),
    fact(ASKED.piped, written.piped, 'a program was piped to it, or is not any more'),
    fact(ASKED.linked, written.linked, 'its windows are shared otherwise than before'),
    fact(ASKED.modes, aside.has('mode') ? written.modes : written.modes.replace(/\d+/g, '0'), IN_MODE),
    ...(aside.has('motion') ? [] : movingFacts(ASKED.motion, written.motion)),
  ];
}

/** The same for what is done in one pane of it: how the others move does not matter. */
export function paneStanceFacts({ stance, aside }: Terms, paneId: string): Fact[] | null {
  const written = writtenIn(stance);
  if (written === null) return null;
  const index = written.panes.split(' ').findIndex((pane) => pane.startsWith(`${paneId}=`));
  const motion = index === -1 ? undefined : written.motion.split(' ')[index];
  const linked = written.linked.split(' ')[index];
  if (motion === undefined || linked === undefined) return null;
  return [
    ...peopleFacts(written, aside),
    fact('#{window_linked}', linked, 'its windows are shared otherwise than before'),
    ...(aside.has('motion') ? [] : movingFacts(MOTION, motion)),
  ];
}

/** Text that a pane has to show; the longest part of it that means nothing to tmux is looked for. */
export function shownFacts(texts: readonly string[]): Fact[] {
  return texts.flatMap((text) => {
    const parts = text.match(/[A-Za-z0-9 ./_-]+/g)?.map((part) => part.trim()) ?? [];
    const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
    if (!/[A-Za-z0-9]/.test(longest)) return [];
    const format = `#{?#{C:${longest.slice(0, LONGEST_SHOWN).trim()}},1,0}`;
    return [{ ...fact(format, 1, 'what it shows is not what was seen'), isMotion: true }];
  });
}

/** Compares, and does nothing else. */
export async function confirmStance(reach: Reach, terms: Terms): Promise<Acted> {
  return actOnStance(reach, terms, () => []);
}

/** Does something to the whole session if all of it stands as it stood. */
export async function actOnStance(
  reach: Reach,
  terms: Terms,
  commands: (session: SessionTarget) => string[][],
): Promise<Acted> {
  const facts = stanceFacts(terms, reach.timeoutMs);
  if (facts === null) return NOT_IDS;
  const { session } = terms.stance;
  const { socketPath } = session.server;
  const target = sessionAddress(session);
  return asActed(await actIf(reach, { socketPath, target, facts, commands: commands(session) }));
}

// A person may attach through another session of its group; a tmux that cannot tell that of a group says nothing.
function peopleFacts({ attached, lastAttached, group }: Written, aside: Terms['aside']): Fact[] {
  const nobody = group.startsWith('0/') && attached.endsWith('/') ? '0/' : '0/0';
  const isAlone = [
    fact(ASKED.attached, nobody, 'somebody is attached to it'),
    fact(ASKED.lastAttached, lastAttached, 'somebody was attached to it just now'),
  ];
  return [
    ...(aside.has('attached') ? [] : isAlone),
    fact(ASKED.group, group, 'it joined or left a group of sessions'),
    ...(aside.has('held') ? [] : [fact(ASKED.held, 1, 'it is held')]),
  ];
}

// First of all, because it can always be told. By the clock of the server: what time it is here does not matter.
export function inTime({ written: { at }, toldAt }: Stance, timeoutMs: number): Fact[] {
  const second = Number(at) + Math.floor((performance.now() - toldAt + timeoutMs) / 1000);
  return at === undefined || at === '' ? [] : [beforeSecond(second)];
}

function movingFacts(format: string, value: string): Fact[] {
  // Nothing equals it: what cannot be compared is never taken for the same.
  if (value.includes(LONG)) return [fact('1', 0, TOO_LONG)];
  return [{ ...fact(format, value, STIRRED), isMotion: true }];
}

const TOO_LONG = `the name of a program in it has more than ${LONGEST_PROGRAM} bytes, so it cannot be compared`;

/** Whatever is not as it was read here is never put into a command. */
function writtenIn({ session, panes, written }: Stance): Written | null {
  const isWhole = Object.keys(ASKED).every((name) => COMPARABLE.test(written[name] ?? '#'));
  const isSound = isSession(session) && panes.length > 0 && panes.every(isPaneOfSession);
  return isWhole && isSound ? (written as Written) : null;
}

function paneIn(written: string): [string, Omit<PaneTarget, 'session'>] {
  const [paneId = '', pid] = written.split('=');
  // A pane without a process may report -1.
  return [paneId, { paneId, pid: Math.max(0, Number(pid)) }];
}

const SEPARATOR = '|';
const LONGEST_SHOWN = 40;

/** Means nothing in a format. */
const COMPARABLE = /^[A-Za-z0-9_%=$/. -]*$/;

const UNREADABLE = { state: 'failed', text: 'tmux did not tell how it stands' } as const;
