import { visible } from '../../../core/text/visible.ts';
import type { Acted, NotDone, PaneTarget, SessionTarget } from '../../../ports/actuator.ts';
import { inspectSocket } from '../find-sockets.ts';
import { createNonce, type RunTmux, readNoAnswer, type TmuxRun } from '../run-tmux.ts';
import type { EndPlace } from './end-hook.ts';
import {
  type Fact,
  isPane,
  isSession,
  paneAddress,
  paneFacts,
  sessionAddress,
  sessionFacts,
  TOO_LATE,
} from './facts.ts';
import { commandArguments, commandInput, commandText } from './words.ts';

/** What tmux has to find, and what it does then. */
export interface ConditionalAct {
  readonly socketPath: string;
  /** Ids only: a name would be matched by prefix and pattern. */
  readonly target: string;
  readonly facts: readonly Fact[];
  readonly commands: readonly (readonly string[])[];
  readonly maxBytes?: number;
  /** Something in the commands must not stand in a process's arguments, or would not fit there: tmux reads all from its input. */
  readonly isPrivate?: boolean;
}

export type ActedIf = { readonly state: 'done'; readonly printed: Buffer } | NotDone;

/** For whatever comes from a record and is no id. */
export const NOT_IDS = { state: 'failed', text: 'not the ids of a tmux session' } as const;
/** It printed more than `maxBytes`. */
export const TOO_LONG = { state: 'failed', text: 'tmux printed more than was asked' } as const;

/** A connection to tmux for acts on one user's servers. */
export interface Reach {
  readonly run: RunTmux;
  readonly uid: number;
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** Why nothing can be started in a folder. */
  readonly folderProblem: (folder: string) => string | null | Promise<string | null>;
  /** Where ends of programs are written down; nowhere without it. */
  readonly ends?: EndPlace;
}

const MAX_BYTES = 1024 * 1024;

const FROM_INPUT = ['source-file', '-'];

/** Acts on a pane, if it is still the one that was judged. */
export async function actInPane(
  reach: Reach,
  pane: PaneTarget,
  commands: (target: string) => string[][],
  more: ActMore = {},
): Promise<ActedIf> {
  if (!isPane(pane)) return NOT_IDS;
  const { socketPath } = pane.session.server;
  const target = paneAddress(pane);
  const facts = [...(more.facts ?? []), ...paneFacts(pane)];
  return actIf(reach, { ...more, socketPath, target, facts, commands: commands(target) });
}

/** The same for a session. */
export async function actInSession(
  reach: Reach,
  session: SessionTarget,
  commands: (target: string) => string[][],
  more: ActMore = {},
): Promise<ActedIf> {
  if (!isSession(session)) return NOT_IDS;
  const { socketPath } = session.server;
  const target = sessionAddress(session);
  const facts = [...sessionFacts(session), ...(more.facts ?? [])];
  return actIf(reach, { ...more, socketPath, target, facts, commands: commands(target) });
}

type ActMore = Partial<Pick<ConditionalAct, 'facts' | 'maxBytes' | 'isPrivate'>>;

/** What came of an act that prints nothing. */
export function asActed(acted: ActedIf): Acted {
  return acted.state === 'done' ? { state: 'done' } : acted;
}

/** tmux takes no command list over 16 KiB, headers included. */
const MAX_COMMAND_BYTES = 16_000;

/**
 * Compares and acts in one tmux command, which nothing can come between. tmux says itself, with a word that nobody could
 * foresee, whether it acted; neither silence nor an exit status does.
 */
export async function actIf({ run, uid }: Reach, act: ConditionalAct): Promise<ActedIf> {
  const place = inspectSocket(act.socketPath, uid);
  if (place.state === 'failed') return { state: 'failed', text: visible(place.text, 500) };
  const nonce = createNonce();
  const whole = [conditional(act, nonce)];
  const command = act.isPrivate ? FROM_INPUT : commandArguments(whole);
  // A condition is never shortened to fit.
  if (bytesOf(command) > MAX_COMMAND_BYTES) return { state: 'failed', text: TOO_MANY_FACTS };
  const ended = await run(place.socketPath, command, {
    maxBytes: act.maxBytes ?? MAX_BYTES,
    ...(act.isPrivate && { input: commandInput(whole) }),
  });
  const output = ended.ended === 'exit' ? ended.stdout : Buffer.alloc(0);
  const printed = between(output, `${nonce}begin\n`, `${nonce}done\n`);
  if (printed !== null) return { state: 'done', printed };
  // A format that cannot be told of a session that is gone ends what is told.
  const found = between(output, `${nonce}changed `, '\n');
  if (found !== null) return whatChanged(act.facts, found.toString('utf8').replace(nonce, ''));
  if (ended.ended === 'too-long') return TOO_LONG;
  if (isMissing(ended, act.target)) return { state: 'changed', text: 'it is gone' };
  const answer = readNoAnswer(ended, place.socketPath);
  return answer.state === 'absent'
    ? { state: 'changed', text: 'its tmux server is gone' }
    : { state: 'failed', text: answer.text };
}

function conditional({ target, facts, commands }: ConditionalAct, nonce: string): string[] {
  const asked = facts.map(({ format }) => format).join(SEPARATOR);
  const expected = facts.map(({ value }) => value).join(SEPARATOR);
  const say = (...words: string[]): string[] => ['display-message', '-p', ...words];
  return [
    ...['if-shell', '-F', '-t', target, `#{==:${asked},${expected}}`],
    commandText([say(`${nonce}begin`), ...commands, say(`${nonce}done`)]),
    commandText([say('-t', target, `${nonce}changed ${asked}${nonce}`)]),
  ];
}

/** Stands in no value, and means nothing in a format. */
const SEPARATOR = '|';

const TOO_MANY_FACTS = 'it has too many panes to be compared in one tmux command';

function whatChanged(facts: readonly Fact[], found: string): NotDone {
  const values = found.split(SEPARATOR);
  const other = facts.filter(({ value }, index) => values[index] !== value);
  if (other.some(({ otherwise }) => otherwise === TOO_LATE)) return { state: 'failed', text: TOO_LATE };
  const worst = other.find(({ isMotion }) => !isMotion) ?? other[0];
  // Nothing is otherwise any more by the time that tmux tells: it stirred.
  if (worst === undefined) return { state: 'stirred', text: 'it changed for a moment' };
  return { state: worst.isMotion ? 'stirred' : 'changed', text: worst.otherwise };
}

function bytesOf(command: readonly string[]): number {
  return command.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
}

// tmux before 3.1 complains about the missing target instead of showing nothing of it.
function isMissing(ended: TmuxRun, target: string): boolean {
  if (ended.ended !== 'exit' || ended.code !== 1) return false;
  const missing = /^can't find (?:session|window|pane): (\S+)$/.exec(ended.stderr.trimEnd())?.[1];
  return missing !== undefined && target.split(/[:.]/).includes(missing);
}

function between(output: Buffer, begin: string, end: string): Buffer | null {
  const start = output.indexOf(begin);
  const stop = start === -1 ? -1 : output.indexOf(end, start + begin.length);
  return stop === -1 ? null : output.subarray(start + begin.length, stop);
}
