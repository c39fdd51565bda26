import { fuse } from '../../core/agent/fuse.ts';
import type { AgentSign } from '../../core/agent/sign.ts';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import type { AgentAdapter, AgentReading, CapturedScreen } from '../../ports/agent.ts';

/** An agent in a pane, and what its own sources told. */
export interface HeardAgent {
  readonly paneId: string;
  readonly adapter: AgentAdapter;
  readonly agentPid: number;
  readonly reading: AgentReading;
}

/** What was heard of one agent, as evidence. */
export function agentEvidence({ paneId, adapter, agentPid, reading }: HeardAgent, at: number): Evidence[] {
  const { version, conversation, transcript, resume, signs, gaps, failures } = reading;
  const about = { paneId, agentKind: adapter.kind, agentPid } as const;
  return [
    {
      kind: 'agent',
      source: 'agent',
      observedAt: at,
      ...about,
      ...(version !== undefined && { agentVersion: visible(version, 60) }),
      ...(conversation !== undefined && { conversation: visible(conversation, 120) }),
      ...(transcript !== undefined && { transcript: visible(transcript, 500) }),
      ...(resume !== undefined && { resume }),
      gaps,
    },
    ...signs.map((sign) => signEvidence(sign, about)),
    ...failures.map(
      ({ source, text }) => ({ kind: 'sensor-unavailable', source, observedAt: at, paneId, text }) as const,
    ),
  ];
}

/** What the screen adds, once it has been captured. */
export function screenSign(heard: HeardAgent, screen: CapturedScreen): Evidence[] {
  const { paneId, adapter, agentPid, reading } = heard;
  const sign = adapter.readScreen?.(screen, reading) ?? null;
  return sign ? [signEvidence(sign, { paneId, agentKind: adapter.kind, agentPid })] : [];
}

/** Whether only the screen can tell what the agent is doing, or what it waits for. */
export function needsScreen({ adapter, reading }: HeardAgent, now: number): boolean {
  if (!adapter.readScreen) return false;
  const [first, ...rest] = reading.signs;
  if (!first) return true;
  const { says, decisive } = fuse([first, ...rest], now);
  // A title does not tell what is asked, a transcript not even whether something is.
  const isVague = says === 'waiting' && decisive.source === 'title';
  const isBlind = says === 'working' && decisive.source === 'transcript';
  return says === 'unknown' || isVague || isBlind;
}

function signEvidence(
  sign: AgentSign,
  about: { readonly paneId: string; readonly agentKind: string; readonly agentPid: number },
): Evidence {
  // What an agent shows may be a command line that it asks about.
  return { kind: 'agent-sign', ...about, ...sign, text: maskSecrets(sign.text) };
}
