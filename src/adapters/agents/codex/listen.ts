import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import type { AgentProcess, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { agentFolder } from '../common/files-below.ts';
import { gapsIn } from '../common/gaps.ts';
import { lookAlone } from './alone.ts';
import { createAskServer, type ServerSurroundings } from './app-server.ts';
import { createCountCommands } from './background.ts';
import { lookAtClient } from './client.ts';
import { codexCommand, folderOf, resume } from './command-line.ts';
import { createClients } from './conversation.ts';
import { CONVERSATION_UNKNOWN, type CodexSubject, type Findings, NOTHING } from './findings.ts';
import { createOwnThreads } from './own-threads.ts';
import { createTitleSettings, type TitleSettings } from './settings.ts';
import type { SignBase } from './status.ts';
import { signOfTitle } from './title.ts';
import { createTranscripts } from './transcript.ts';
import { createVersionReader, VERIFIED } from './version.ts';

const SYSTEM: ServerSurroundings = { procRoot: '/proc', now: Date.now, timeoutMs: 300 };

/** Makes the function that asks everything but the screen about one Codex. */
export function createListener(
  options: Partial<ServerSurroundings>,
): (scene: AgentScene) => Promise<AgentReading> {
  const surroundings = { ...SYSTEM, ...options };
  const { procRoot, now } = surroundings;
  const ownThreads = createOwnThreads(procRoot, now);
  const titleSettings = createTitleSettings(now);
  const versionOf = createVersionReader(procRoot);
  const tools = {
    transcripts: createTranscripts(),
    countCommands: createCountCommands(procRoot),
    askServer: createAskServer(surroundings),
    clients: createClients(now),
  };

  const look = (subject: CodexSubject): Findings | Promise<Findings> => {
    const own = ownThreads(subject.scene.agent);
    if (own && own.length > 0) return lookAlone(subject, own, tools);
    const { home, command } = subject;
    if (home === null || command.isRemote || command.isWithoutDaemon)
      return { ...NOTHING, gaps: [CONVERSATION_UNKNOWN] };
    return lookAtClient({ ...subject, home }, tools);
  };

  return async (scene: AgentScene): Promise<AgentReading> => {
    const command = codexCommand(scene.agent.argv);
    if (command === null) return { signs: [], gaps: [], failures: [] };
    const home = homeOf(scene.agent);
    const folder = folderOf(command, scene.agent.cwd);
    const settings = titleSettings(command, home, folder);
    const subject: CodexSubject = {
      scene,
      command,
      home,
      folder,
      version: versionOf(scene.agent),
      isIdInTitle: settings.items?.includes('thread-id') ?? false,
    };
    const found = await look(subject);
    return readingOf(subject, settings, found);
  };
}

function readingOf(subject: CodexSubject, settings: TitleSettings, found: Findings): AgentReading {
  const { scene } = subject;
  const version = found.version ?? subject.version;
  const base = { observedAt: scene.now, isVerified: isWithin(version, VERIFIED) };
  const { conversation, transcript, hasTurns } = found;
  // Only the conversation tells whose an event is: a daemon sends those of all its clients, with the first one's pane.
  const isOwn = (memory: HookMemory) => conversation !== undefined && memory.conversation === conversation;
  const memory = scene.hooks.find(isOwn);
  const hook = memory && hookSign(memory, found, base);
  const folder = found.folder ?? subject.folder;
  const title = signOfTitle(scene.title, { settings, folder }, base);
  const isTitleBelieved = title?.turn === 'running' || found.isHeard;
  const asked = found.signs.find(({ waitingFor }) => waitingFor)?.waitingFor;
  const { animations, items } = settings;
  const isStateNamed = items?.some((item) => item === 'run-state' || item === 'status') ?? false;
  return {
    ...(version !== undefined && { version }),
    ...(conversation !== undefined && { conversation }),
    ...(found.mayBeIn !== undefined && { mayBeIn: found.mayBeIn }),
    ...(transcript !== undefined && { transcript }),
    // Codex keeps a conversation only from its first turn on.
    ...(conversation !== undefined && hasTurns && { resume: resume(conversation).argv }),
    signs: [
      ...found.signs,
      ...(hook ? [hook] : []),
      ...(title && isTitleBelieved
        ? [title.waitingFor && asked ? { ...title, waitingFor: asked } : title]
        : []),
    ],
    gaps: [
      ...found.gaps,
      ...gapsIn({
        'environment-unreadable':
          subject.home === null && 'its environment may not be read, so its files are not known',
        'animations-off':
          animations === 'off' &&
          !isStateNamed &&
          'without animations its title does not tell whether it works',
        'hooks-silent':
          conversation !== undefined && hasTurns && !memory && 'no hook of this conversation was heard',
        'version-unverified':
          !base.isVerified && `verified on ${VERIFIED.from}, this is ${version ?? 'not known'}`,
      }),
    ],
    failures: found.failures,
  };
}

function hookSign(
  { turn, beganAt, waitingFor, subagents, endedAt, last }: HookMemory,
  { eventsFrom, isFamilyKnown }: Findings,
  base: SignBase,
): AgentSign | null {
  const since = Math.max(turn?.at ?? 0, waitingFor?.at ?? 0);
  const isPast = since < eventsFrom && (turn?.value === 'running' || waitingFor?.value);
  if (endedAt !== undefined || since === 0) return null;
  const sign = { source: 'hook', ...base, isLive: false, ...(beganAt !== undefined && { beganAt }) } as const;
  // That it ended unheard does not undo that it began.
  if (isPast)
    return beganAt === undefined ? null : { ...sign, since: beganAt, text: 'its last turn ended unheard' };
  return {
    ...sign,
    since,
    ...(turn && { turn: turn.value }),
    ...(waitingFor && { waitingFor: waitingFor.value }),
    ...(!isFamilyKnown && subagents.length > 0 && { background: subagents.length }),
    text: `the last hook was ${last.event}`,
  };
}

/** Where this Codex keeps its files, from its own environment; null when that may not be read or says nothing. */
function homeOf(agent: AgentProcess): string | null {
  const env = agent.env();
  return env && agentFolder(env, 'CODEX_HOME', '.codex');
}
