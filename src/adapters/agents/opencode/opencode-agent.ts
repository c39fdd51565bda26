import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { gapsIn } from '../common/gaps.ts';
import { oncePerProcess } from '../common/installed.ts';
import { choice, recognises, resume, type StartWords, startWords } from './command-line.ts';
import { conversations } from './conversations.ts';
import { createOpenStore, type OpenStore, type StoreRead } from './database.ts';
import { gate } from './gate.ts';
import { type HeardSessions, heardSessions, hookSign, hooks } from './hooks.ts';
import { createListens } from './listener.ts';
import { readScreen } from './screen.ts';
import { createReadStatus, type OpencodeStatus, type ReadStatus } from './status.ts';
import { databasePath, readTranscript, type TranscriptReading } from './transcript.ts';
import { VERIFIED, versionOf } from './version.ts';

/**
 * opencode. One process runs any number of sessions and shows one of them, so every source is asked about all of them.
 * Its own status is believed first, then its plugin, then its database.
 */
export function opencodeAgent(): AgentAdapter {
  const readStatus = createReadStatus(createListens(() => performance.now()));
  const sources = { readStatus, openStore: createOpenStore(), versionOf: oncePerProcess(versionOf) };
  return {
    kind: 'opencode',
    recognises,
    choice,
    listen: (scene) => listen(scene, sources),
    readScreen,
    verified: VERIFIED,
    hooks,
    gate,
    // It leaves on SIGTERM too, and takes its tools with it.
    exit: { command: '/exit', signal: 'process' },
    resume,
    conversations,
  };
}

async function listen(
  scene: AgentScene,
  sources: { readStatus: ReadStatus; openStore: OpenStore; versionOf: typeof versionOf },
): Promise<AgentReading> {
  const { agent } = scene;
  const start = startWords(agent.argv);
  if (start.isAttached) return { signs: [], gaps: ATTACHED, failures: [] };
  const heard = heardSessions(scene);
  const [own, kept] = await Promise.all([
    start.port === undefined ? null : sources.readStatus(agent, start.port, scene.now),
    readDatabase(scene, start, heard, sources.openStore),
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
    // One that is not there holds none.
    ...(kept.state === 'failed' && { mayBeIn: 'any' as const }),
    signs: background === undefined ? signs : signs.map((sign) => ({ ...sign, background })),
    gaps: gapsIn({
      'status-missing': start.port === undefined && 'it was started without --port',
      'hooks-silent': heard.own.length === 0 && 'its plugin has told nothing yet',
      'transcript-off': kept.state === 'off' && 'it keeps its sessions in memory only',
      'environment-unreadable': kept.state === 'unreadable' && 'where it keeps its sessions cannot be told',
      'conversation-unknown':
        conversation === undefined &&
        scene.title.startsWith('OC | ') &&
        'which session it shows cannot be told',
      'version-unverified': !isVerified && untried(version),
    }),
    failures: failuresOf(own, kept),
  };
}

/**
 * How many processes the agent has left running. A command that the shell tool puts into the background is detached when
 * its shell ends; the pane's mark in its environment still tells whose it is. Children between turns are language
 * servers, MCP servers and the like. Undefined if environments cannot be read.
 */
export function backgroundOf({ agent, others }: AgentScene): number | undefined {
  if (agent.env() === null) return undefined;
  return others().filter(({ relation, startedAt }) => relation === 'outside' && startedAt >= agent.startedAt)
    .length;
}

type Kept =
  | ({ readonly state: 'read'; readonly path: string } & TranscriptReading)
  | { readonly state: 'off' | 'unreadable' }
  | Exclude<StoreRead, { state: 'read' }>;

async function readDatabase(
  scene: AgentScene,
  start: StartWords,
  heard: HeardSessions,
  openStore: OpenStore,
): Promise<Kept> {
  const path = databasePath(scene.agent.env());
  if (path === undefined) return { state: 'unreadable' };
  if (path === null) return { state: 'off' };
  try {
    const opened = await openStore(path, scene.now);
    if (opened.state !== 'read') return opened;
    return { state: 'read', path, ...readTranscript(opened.store, scene, start, heard) };
  } catch (error) {
    return { state: 'failed', text: (error as Error).message };
  }
}

function failuresOf(own: OpencodeStatus | null, kept: Kept): AgentReading['failures'] {
  return [
    ...(own?.state === 'failed' ? [{ source: 'agent' as const, text: own.text }] : []),
    ...(kept.state === 'failed' || kept.state === 'absent'
      ? [{ source: 'transcript' as const, text: visible(kept.text, 200) }]
      : []),
  ];
}

const ATTACHED = gapsIn({ 'status-missing': 'it shows the sessions of a server elsewhere' });

function untried(version: string | undefined): string {
  return version === undefined
    ? 'its version is not known'
    : `version ${visible(version, 40)} was never tried`;
}
