import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import type { AgentAdapter, AgentGap, AgentProcess, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { agentFolder } from '../common/files-below.ts';
import { gapsIn } from '../common/gaps.ts';
import { conversationNamedIn, resume } from './command-line.ts';
import { type FreshFacts, freshFacts, hookSign, memoryOf } from './heard.ts';
import { isSilentWait } from './screen.ts';
import { type ClaudeStatus, type OwnStatusRead, readOwnStatus, statusSign } from './status.ts';
import { keepsSchedule } from './timers.ts';
import { type TranscriptTale, transcriptSign } from './transcript.ts';
import { type ClaudeTranscripts, createTranscripts } from './transcripts.ts';
import { VERIFIED } from './verified.ts';

/** Makes the function that asks everything but the screen. What it found once about a process is kept. */
export function createListener(): NonNullable<AgentAdapter['listen']> {
  const transcripts = createTranscripts();
  return (scene) => {
    try {
      const environment = scene.agent.env();
      const folder = environment && agentFolder(environment, 'CLAUDE_CONFIG_DIR', '.claude');
      const hear = (own: OwnStatusRead) => readAll(scene, environment, folder, own, transcripts);
      const own = folder ? readOwnStatus(folder, scene.agent) : NO_FOLDER;
      return own instanceof Promise ? own.then(hear).catch(unheard) : hear(own);
    } catch (error) {
      return unheard(error);
    }
  };
}

const NO_FOLDER: OwnStatusRead = { state: 'absent', text: 'its folder is not known' };

function unheard(error: unknown): AgentReading {
  const text = `cannot be asked: ${error instanceof Error ? error.message : 'unknown failure'}`;
  return { signs: [], gaps: [], failures: [{ source: 'agent', text }], mayBeIn: 'any' };
}

function readAll(
  scene: AgentScene,
  environment: ReturnType<AgentProcess['env']>,
  folder: string | null,
  own: OwnStatusRead,
  transcripts: ClaudeTranscripts,
): AgentReading {
  const { agent, now } = scene;
  const status = own.state === 'read' ? own : undefined;

  const memory = memoryOf(scene, status?.conversation);
  const heard = status?.conversation ?? memory?.conversation ?? undefined;
  const conversation = heard ?? conversationNamedIn(agent.argv);
  const { version } = status ?? {};
  const told = memory && hookSign(memory, scene, version);

  const transcript =
    conversation !== undefined && folder
      ? transcripts.find(agent, {
          conversation,
          folder,
          told: memory?.transcript,
          cwds: [status?.cwd, agent.cwd].filter((cwd) => cwd !== undefined),
          mark: `${status?.since ?? ''} ${memory?.last.at ?? ''}`,
        })
      : null;
  // A conversation that only the command line names may have been cleared since: its transcript may be another's.
  const tale = transcript !== null && heard !== undefined ? transcripts.read(transcript) : null;
  const written = tale && transcriptSign(tale, now, version);

  const events = [told, written].filter((sign) => sign !== null && sign !== undefined);
  const live = status && statusSign(status, now);
  const failures: AgentReading['failures'][number][] = [];
  if (own.state === 'failed') failures.push({ source: 'agent', text: own.text });
  if (live && 'failure' in live) failures.push({ source: 'agent', text: live.failure });
  const isTimerless = (rest: ClaudeStatus) => isWithoutTimers(scene, memory, rest, transcript, transcripts);
  const sign =
    status && live && !('failure' in live)
      ? withOthers(live, memory && freshFacts(memory, scene), tale, () => isTimerless(status))
      : undefined;
  return {
    ...(version !== undefined && { version }),
    ...(conversation !== undefined && { conversation, isOnlyNamed: heard === undefined }),
    // It is written with the first prompt; without it `--resume` ends in an error.
    ...(conversation !== undefined &&
      transcript !== null && { transcript, resume: resume(conversation).argv }),
    ...(own.state === 'failed' && { mayBeIn: own.conversation === undefined ? 'any' : [own.conversation] }),
    signs: sign ? [sign, ...events] : events,
    gaps: gapsOf(scene, environment, own, memory, conversation),
    failures,
  };
}

/**
 * Adds what the status does not show: which dialog a “permission prompt” is, a limit or a login that ended the turn,
 * and, at rest, whether timers are set.
 */
function withOthers(
  status: AgentSign,
  heard: FreshFacts | undefined,
  tale: TranscriptTale | null,
  isTimerless: () => boolean,
): AgentSign {
  const { waitingFor, ...rest } = status;
  if (waitingFor === 'permission')
    return isPlanAsked(status, heard, tale) ? { ...status, waitingFor: 'plan' } : status;
  if (status.turn !== 'over') return status;
  const known = isHeldUp(heard, tale) ? rest : status;
  return status.background === undefined && isTimerless() ? { ...known, background: 0 } : known;
}

// A hook and the record of the same event may lie some milliseconds apart.
const SAME_EVENT_MS = 2000;

// Approving a plan is a permission prompt like any other to the status.
function isPlanAsked({ since = 0 }: AgentSign, heard: FreshFacts | undefined, tale: TranscriptTale | null) {
  const asked = heard?.waitingFor;
  const isHeard = asked?.value === 'plan' && asked.at >= since - SAME_EVENT_MS;
  return isHeard || tale?.openTool === 'ExitPlanMode';
}

// Whichever of the two has the later turn is right about how it ended.
function isHeldUp(heard: FreshFacts | undefined, tale: TranscriptTale | null): boolean {
  const lastTurnAt = Math.max(heard?.turn?.at ?? 0, tale?.turn === undefined ? 0 : tale.at);
  const isHeard =
    isSilentWait(heard?.waitingFor?.value) && (heard?.waitingFor?.at ?? 0) >= lastTurnAt - SAME_EVENT_MS;
  return isHeard || (isSilentWait(tale?.trouble) && (tale?.at ?? 0) >= lastTurnAt - SAME_EVENT_MS);
}

/**
 * Whether certainly no timer is set. The hook at the end of a turn says so; without hooks, a transcript that was
 * searched completely. A process whose status is still that of its start has done nothing yet.
 */
function isWithoutTimers(
  scene: AgentScene,
  memory: HookMemory | undefined,
  { cwd, version, isUntouched }: ClaudeStatus,
  transcript: string | null,
  transcripts: ClaudeTranscripts,
): boolean {
  if (memory) {
    const { turn, background } = freshFacts(memory, scene);
    if (background && background.value > 0) return false;
    if (turn?.value === 'over' && background && background.at >= turn.at) return true;
  }
  // Another version may set timers by other means.
  if (cwd === undefined || !isWithin(version, VERIFIED) || keepsSchedule(cwd, scene.agent.pid)) return false;
  return transcript === null ? isUntouched : transcripts.isTimerless(transcript, scene.now);
}

// Its first hook comes within a second of its start.
const HOOKS_DUE_MS = 10_000;

function gapsOf(
  { agent, now }: AgentScene,
  environment: Readonly<Record<string, string>> | null,
  own: OwnStatusRead,
  memory: HookMemory | undefined,
  conversation: string | undefined,
): AgentGap[] {
  const isAbsent = own.state === 'absent';
  const version = own.state === 'read' ? own.version : undefined;
  return gapsIn({
    'environment-unreadable': environment === null && 'what it was started with is not readable',
    'status-missing': isAbsent && own.text,
    'transcript-off':
      isAbsent &&
      isTranscriptOff(environment) &&
      'it inherited CLAUDE_CODE_CHILD_SESSION and keeps neither status nor transcript',
    'hooks-silent': !memory && now - agent.startedAt > HOOKS_DUE_MS && 'no hook has reported it',
    'conversation-unknown': conversation === undefined && 'nothing tells which conversation it holds',
    'version-unverified':
      version !== undefined && !isWithin(version, VERIFIED) && `its version ${version} was not tried`,
  });
}

function isTranscriptOff(environment: Readonly<Record<string, string>> | null): boolean {
  const isForced = environment?.CLAUDE_CODE_FORCE_SESSION_PERSISTENCE === '1';
  return environment?.CLAUDE_CODE_CHILD_SESSION !== undefined && !isForced;
}
