import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { gapsIn } from '../common/gaps.ts';
import { backgroundSign, householdOf } from './background.ts';
import { choice, recognisesGemini, resume, resumeArgv } from './command-line.ts';
import { GEMINI_CONVERSATIONS } from './conversations.ts';
import { GEMINI_GATE } from './gate.ts';
import { believedMemory, GEMINI_HOOKS, hookSign } from './hooks.ts';
import { readGeminiScreen } from './screen.ts';
import { createSettingsReader, type GeminiSettings } from './settings.ts';
import { readTitle, titleSign } from './title.ts';
import { createTranscriptCheck, type TranscriptCheck } from './transcript.ts';
import { createVersionReader, VERIFIED } from './version.ts';

/** Gemini CLI: its title, its hooks and its screen tell what it is doing; the processes below it, what it left running. */
export function geminiAgent(): AgentAdapter {
  const readVersion = createVersionReader();
  const readSettings = createSettingsReader();
  const checkTranscript = createTranscriptCheck();

  const listen = (scene: AgentScene): AgentReading => {
    const { agent, title, now } = scene;
    const version = readVersion(agent);
    const isVerified = isWithin(version, VERIFIED);
    const settings = readSettings(agent, now);
    const household = householdOf(scene, settings.servers);
    const word = settings.isTitleHidden ? null : readTitle(title);
    const memory = believedMemory(scene);
    const transcript = memory?.conversation && memory.transcript;
    const check = transcript ? checkTranscript(transcript, memory.conversation ?? '') : null;
    const again = memory && check?.state === 'own' ? resumeArgv(memory, agent.argv) : undefined;
    const seen = { now, isVerified, startedAt: agent.startedAt, isTitleReady: word === 'ready' };
    const signs = [
      word && titleSign(word, { ...seen, title, hasShell: household.shells.length > 0 }),
      memory && hookSign(memory, seen),
      backgroundSign(household, seen),
    ].filter((sign) => sign !== null);
    return {
      ...(version !== undefined && { version }),
      ...(memory?.conversation && { conversation: memory.conversation }),
      ...(transcript && check?.state === 'own' && { transcript }),
      ...(again && { resume: again }),
      signs,
      gaps: gapsIn({
        'version-unverified': !isVerified && unverified(version),
        'environment-unreadable':
          agent.env() === null && 'its settings cannot be found without its environment',
        'status-missing': word === null && withoutTitle(settings),
        'hooks-silent': memory === null && 'no hook of this Gemini was heard',
        'conversation-unknown': !memory?.conversation && 'only its hooks tell which conversation it holds',
        'transcript-off':
          transcript && check?.state !== 'own' && 'the transcript that its hooks named is not there',
      }),
      failures: failuresOf(check, settings),
    };
  };

  return {
    kind: 'gemini',
    recognises: recognisesGemini,
    choice,
    listen,
    readScreen: readGeminiScreen,
    verified: VERIFIED,
    hooks: GEMINI_HOOKS,
    gate: GEMINI_GATE,
    // Its launcher ignores TERM and HUP and forwards neither, so that a signal must reach the whole group.
    exit: { command: '/quit', signal: 'group' },
    resume,
    conversations: GEMINI_CONVERSATIONS,
  };
}

function unverified(version: string | undefined): string {
  return version === undefined
    ? 'its version is not known'
    : `version ${visible(version, 40)} was not verified, ${VERIFIED.to} was`;
}

function withoutTitle({ isTitleHidden }: GeminiSettings): string {
  return isTitleHidden
    ? 'its settings hide its title (ui.hideWindowTitle)'
    : 'its title does not tell what it is doing (ui.dynamicWindowTitle is off, or the title was changed)';
}

function failuresOf(check: TranscriptCheck | null, { problem }: GeminiSettings): AgentReading['failures'] {
  return [
    ...(check?.state === 'failed' ? [{ source: 'transcript' as const, text: visible(check.text, 200) }] : []),
    ...(problem !== undefined ? [{ source: 'title' as const, text: visible(problem, 200) }] : []),
  ];
}
