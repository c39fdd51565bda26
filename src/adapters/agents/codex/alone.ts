import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import type { CountCommands } from './background.ts';
import { only } from './conversation.ts';
import { CONVERSATION_UNKNOWN, type CodexSubject, type Findings, NOTHING } from './findings.ts';
import type { OwnThread } from './own-threads.ts';
import type { SignBase } from './status.ts';
import {
  type CodexTranscripts,
  signOfTurn,
  type TranscriptOwner,
  type TranscriptTurn,
} from './transcript.ts';
import { VERIFIED } from './version.ts';

interface Thread extends OwnThread {
  readonly owner: TranscriptOwner | null;
  readonly last: TranscriptTurn | null;
}

/**
 * Looks at a Codex that runs its conversations itself, without a daemon. All of them are this pane's: an earlier one
 * (before `/new`) stays with the process, and may still work.
 */
export function lookAlone(
  subject: CodexSubject,
  own: readonly OwnThread[],
  tools: { readonly transcripts: CodexTranscripts; readonly countCommands: CountCommands },
): Findings {
  const threads = own.map((thread) => withTranscript(thread, tools.transcripts));
  const roots = threads.filter(({ owner }) => owner?.parent === undefined);
  const shown = shownOf(roots, subject);
  const version = subject.version ?? shown?.owner?.version;
  const { now, agent } = subject.scene;
  const base = { observedAt: now, isVerified: isWithin(version, VERIFIED) };
  const turn = turnSign(roots, agent.startedAt, base);
  const background =
    turn?.turn === 'running' ? undefined : backgroundOf(threads, tools.countCommands(subject.scene));
  const signs: AgentSign[] = turn ? [turn] : [];
  if (background !== undefined) {
    const some = `of its commands and subagents ${background} still run`;
    const text = background === 0 ? 'no command and no subagent of it runs' : some;
    signs.push({ source: 'agent', ...base, isLive: true, background, text });
  }
  return {
    ...NOTHING,
    ...(shown && { conversation: shown.id }),
    ...(shown?.transcript !== undefined && { transcript: shown.transcript }),
    ...(version !== undefined && { version }),
    hasTurns: (shown?.last ?? null) !== null,
    signs,
    gaps: shown ? [] : [CONVERSATION_UNKNOWN],
    mayBeIn: roots.map(({ id }) => id),
    isHeard: true,
    isFamilyKnown: true,
    eventsFrom: agent.startedAt - CLOCK_SLACK_MS,
  };
}

const CLOCK_SLACK_MS = 1_000;

// A file that another conversation was written to tells nothing of this one.
function withTranscript(thread: OwnThread, transcripts: CodexTranscripts): Thread {
  const { id, transcript } = thread;
  if (transcript === undefined) return { id, owner: null, last: null };
  const owner = transcripts.owner(transcript);
  const isOwn = owner?.id === id;
  return { ...thread, owner: isOwn ? owner : null, last: isOwn ? transcripts.lastTurn(transcript) : null };
}

function shownOf(roots: readonly Thread[], { isIdInTitle, scene }: CodexSubject): Thread | null {
  const isNamed = ({ id }: Thread) => isIdInTitle && scene.title.includes(id.slice(0, ID_IN_TITLE));
  return only(roots) ?? only(roots.filter(isNamed));
}

// The title holds an id up to its 29th character.
const ID_IN_TITLE = 29;

function turnSign(roots: readonly Thread[], startedAt: number, base: SignBase): AgentSign | null {
  const begun = roots.filter(({ transcript }) => transcript !== undefined);
  // What ran before this process began ended with the process that ran it.
  const turns = begun.map(({ last }) =>
    last?.turn === 'running' && last.since < startedAt - CLOCK_SLACK_MS
      ? { ...last, turn: 'over' as const, event: `${last.event} of an earlier process` }
      : last,
  );
  const running = turns.find((turn) => turn?.turn === 'running');
  const latest = turns.reduce((a, b) => (a && b && b.since > a.since ? b : a), turns[0]);
  const told = running ?? (turns.includes(null) ? null : latest);
  return told ? signOfTurn(told, base) : null;
}

function backgroundOf(threads: readonly Thread[], commands: number | null): number | undefined {
  const subagents = threads.filter(({ owner }) => owner?.parent !== undefined);
  const count = subagents.filter(({ last }) => last?.turn === 'running').length + (commands ?? 0);
  // A conversation that has not written anything yet may be a subagent that has just begun.
  const isUnwritten = threads.length > 1 && threads.some(({ transcript }) => transcript === undefined);
  const isTold = commands !== null && !isUnwritten && subagents.every(({ last }) => last !== null);
  return count > 0 || isTold ? count : undefined;
}
