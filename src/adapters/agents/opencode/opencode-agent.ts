import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentAdapter, AgentGap, AgentProcess, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { backgroundOf } from './background.ts';
import { choice } from './choice.ts';
import { conversations } from './conversations.ts';
import type { StoreReader } from './database.ts';
import { createStoreReader } from './database.ts';
import { exit } from './exit.ts';
import { gate } from './gate.ts';
import type { HeardSessions } from './hooks.ts';
import { heardSessions, hookSign, hooks } from './hooks.ts';
import { createListeners } from './listener.ts';
import type { StartWords } from './recognise.ts';
import { recognises, startWords } from './recognise.ts';
import { resume } from './resume.ts';
import { readScreen } from './screen.ts';
import type { OwnStatus, StatusReader } from './status.ts';
import { createStatusReader } from './status.ts';
import type { TranscriptReading } from './transcript.ts';
import { databasePath, readTranscript } from './transcript.ts';
import { createVersionReader, VERIFIED } from './version.ts';

/**
 * opencode. One process runs any number of sessions and shows one of them, so every source is asked about all of them.
 * Its own status is believed first, then its plugin, then its database.
 */
export function opencodeAgent(): AgentAdapter {
  const status = createStatusReader(createListeners(() => performance.now()));
  const sources = { status, stores: createStoreReader(), versionOf: createVersionReader() };
  return {
    kind: 'opencode',
    recognises,
    choice,
    listen: (scene) => listen(scene, sources),
    readScreen,
    verified: VERIFIED,
    hooks,
    gate,
    exit,
    resume,
    conversations,
  };
}

interface Sources {
  readonly status: StatusReader;
  readonly stores: StoreReader;
  versionOf(process: AgentProcess): string | undefined;
}

async function listen(scene: AgentScene, sources: Sources): Promise<AgentReading> {
  const { agent } = scene;
  const start = startWords(agent.argv);
  if (start.isAttached) return { signs: [], gaps: [ATTACHED], failures: [] };
  const heard = heardSessions(scene);
  const [own, kept] = await Promise.all([
    start.port === undefined ? null : sources.status.read(agent, start.port, scene.now),
    readDatabase(scene, start, heard, sources.stores),
  ]);
  const told = own?.state === 'told' ? own : null;
  const version = told?.version ?? sources.versionOf(agent);
  const isVerified = isWithin(version, VERIFIED);
  const conversation = kept.state === 'read' ? kept.conversation?.id : undefined;
  const hook = hookSign(heard, scene, isVerified, conversation);
  const background = backgroundOf(scene);
  const signs: AgentSign[] = [];
  if (told) signs.push({ ...told.sign, isVerified });
  if (hook) signs.push(hook);
  if (kept.state === 'read' && kept.sign) signs.push({ ...kept.sign, isVerified });
  return {
    ...(version !== undefined && { version }),
    ...(conversation !== undefined && { conversation, resume: resume(conversation).argv }),
    ...(kept.state === 'read' && { transcript: kept.path }),
    signs: background === undefined ? signs : signs.map((sign) => ({ ...sign, background })),
    gaps: gapsOf(scene, start, heard, kept, version, conversation),
    failures: failuresOf(own, kept),
  };
}

type Kept =
  | ({ readonly state: 'read'; readonly path: string } & TranscriptReading)
  | { readonly state: 'off' | 'unreadable' }
  | { readonly state: 'failed'; readonly text: string };

async function readDatabase(
  scene: AgentScene,
  start: StartWords,
  heard: HeardSessions,
  stores: StoreReader,
): Promise<Kept> {
  const path = databasePath(scene.agent);
  if (path === undefined) return { state: 'unreadable' };
  if (path === null) return { state: 'off' };
  try {
    const opened = await stores.open(path, scene.now);
    if (opened.state === 'absent') return { state: 'failed', text: `${path} is not there` };
    if (opened.state === 'failed') return opened;
    return { state: 'read', path, ...readTranscript(opened.store, scene, start, heard) };
  } catch (error) {
    return { state: 'failed', text: (error as Error).message };
  }
}

function failuresOf(own: OwnStatus | null, kept: Kept): AgentReading['failures'] {
  return [
    ...(own?.state === 'failed' ? [{ source: 'agent' as const, text: own.text }] : []),
    ...(kept.state === 'failed' ? [{ source: 'transcript' as const, text: visible(kept.text, 200) }] : []),
  ];
}

const ATTACHED: AgentGap = {
  code: 'status-missing',
  text: 'it shows the sessions of a server elsewhere',
};

function gapsOf(
  { title }: AgentScene,
  start: StartWords,
  heard: HeardSessions,
  kept: Kept,
  version: string | undefined,
  conversation: string | undefined,
): readonly AgentGap[] {
  const gaps: AgentGap[] = [];
  if (start.port === undefined) gaps.push({ code: 'status-missing', text: 'it was started without --port' });
  if (heard.own.length === 0) gaps.push({ code: 'hooks-silent', text: 'its plugin has told nothing yet' });
  if (kept.state === 'off')
    gaps.push({ code: 'transcript-off', text: 'it keeps its sessions in memory only' });
  if (kept.state === 'unreadable') {
    gaps.push({ code: 'environment-unreadable', text: 'where it keeps its sessions cannot be told' });
  }
  if (conversation === undefined && title.startsWith('OC | ')) {
    gaps.push({ code: 'conversation-unknown', text: 'which session it shows cannot be told' });
  }
  if (!isWithin(version, VERIFIED)) {
    const text =
      version === undefined ? 'its version is not known' : `version ${visible(version, 40)} was never tried`;
    gaps.push({ code: 'version-unverified', text });
  }
  return gaps;
}
