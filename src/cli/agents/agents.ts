import { type AgentsFound, toAgentsDocument } from '../../contract/roll-document.ts';
import { SIGN_SOURCES, type SignSource } from '../../core/agent/sign.ts';
import type { InstalledAgent } from '../../core/doctor/sightings.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { AgentEvidence } from '../../core/verdict/evidence.ts';
import { defineCommand } from '../frame/command.ts';
import { type Line, span } from '../render/line.ts';
import { labelled, page, section } from '../render/page.ts';
import { show } from '../render/show.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';

export const agentsCommand = defineCommand({
  name: 'agents',
  summary: 'Show installed and running agents, and what rollcall can hear of each.',
  usage: ['rollcall agents [flags]'],
  description: [
    'Lists the agents on PATH with their versions, and whether rollcall was verified on that version. Then every agent that runs in tmux, which of its sources are heard (its own status, its hooks, its transcript, its title, its screen), and what is missing for a surer answer.',
    'A version that was not verified still works: what it says of itself is believed, but its screen alone never makes a session closable.',
  ],
  examples: {
    'rollcall agents': 'what is installed, what runs, what is missing',
    "rollcall agents --json | jq '.running[] | select(.gaps != [])'": 'for programs',
  },
  exits: {
    done: 'the agents were printed, also when there are none',
    usage: 'an unknown flag, or a broken config file',
    'not-found': 'no server has the name that --server gives',
  },
  run: async ({ flags, surroundings }) => {
    const [installed, roll] = await Promise.all([
      surroundings.installedAgents(),
      takeRoll(surroundings, serverWords(flags.server, surroundings)),
    ]);
    const running = runningAgents(roll);
    const { problems } = roll;
    return show({ flags, surroundings }, toAgentsDocument({ installed, running, problems }), (width) =>
      page([
        section('INSTALLED', installedLines(installed, width)),
        section('RUNNING IN TMUX', runningLines(running, width)),
        problemLines(problems, width),
      ]),
    );
  },
});

function installedLines(installed: readonly InstalledAgent[], width: number | null): Line[] {
  if (installed.length === 0) return [[span('  no agent that rollcall knows is on PATH', 'quiet')]];
  return installed.flatMap(({ kind, path, version, verified, isVerified }) => {
    const range =
      verified && (verified.from === verified.to ? verified.from : `${verified.from}–${verified.to}`);
    const trust =
      range === null ? 'known by its process only' : isVerified ? 'verified' : `verified on ${range} only`;
    const body = [span(version ?? 'version not told'), span(`  ${trust}  ${path}`, 'quiet')];
    return labelled(kind, body, width, { indent: 2, room: 14 });
  });
}

const SOURCE_NAMES: Readonly<Record<SignSource, string>> = {
  agent: 'own status',
  hook: 'hooks',
  transcript: 'transcript',
  title: 'title',
  screen: 'screen',
};

function runningLines(running: readonly RunningAgent[], width: number | null): Line[] {
  if (running.length === 0) return [[span('  none', 'quiet')]];
  return running.flatMap((agent) => {
    const { session, paneId, kind, version, pid, activity, sources, isVerified, gaps } = agent;
    const names = sources.map((source) => SOURCE_NAMES[source]).join(', ');
    const what = `  ${kind}${version === null ? '' : ` ${version}`} (pid ${pid}), ${activity}`;
    const missing = [
      ...(isVerified === false ? ['rollcall was not verified on this version'] : []),
      ...gaps.map(({ text }) => `missing: ${text}`),
    ];
    return [
      ...wrap([span('  ')], [span(`${session} ${paneId}`), span(what, 'quiet')], width),
      ...paragraph(names === '' ? 'nothing is heard of it' : `heard: ${names}`, width, 4),
      ...missing.flatMap((text) => paragraph(text, width, 4, 'quiet')),
    ];
  });
}

/** An agent that runs in a pane, and what can be heard of it. Its sources are those that told something at this look. */
type RunningAgent = AgentsFound['running'][number];

/** Every agent of a roll, by session. Those that only their process tells of have no sources. */
function runningAgents(roll: Roll): RunningAgent[] {
  return roll.sessions.flatMap((entry) => {
    const heard = entry.evidence.flatMap((piece) =>
      piece.kind === 'agent' ? [heardAgent(entry, piece)] : [],
    );
    return [...heard, ...unheardAgents(entry, new Set(heard.map((agent) => agent.paneId)))];
  });
}

function heardAgent(entry: SessionEntry, agent: AgentEvidence): RunningAgent {
  const signs = entry.evidence.flatMap((piece) =>
    piece.kind === 'agent-sign' && piece.agentPid === agent.agentPid ? [piece] : [],
  );
  return {
    ...placeOf(entry, agent.paneId),
    kind: agent.agentKind,
    pid: agent.agentPid,
    version: agent.agentVersion ?? null,
    conversation: agent.conversation ?? null,
    sources: SIGN_SOURCES.filter((source) => signs.some((sign) => sign.source === source)),
    isVerified: signs.length === 0 ? null : signs.every((sign) => sign.isVerified),
    gaps: agent.gaps,
  };
}

function unheardAgents(entry: SessionEntry, heard: ReadonlySet<string>): RunningAgent[] {
  return entry.evidence.flatMap((piece) => {
    if (piece.kind !== 'processes' || heard.has(piece.paneId)) return [];
    const note = piece.processes.find((one) => one.role === 'agent' && one.relation !== 'outside');
    if (note?.agentKind === undefined) return [];
    const { agentKind: kind, pid } = note;
    return {
      ...placeOf(entry, piece.paneId),
      kind,
      pid,
      version: null,
      conversation: null,
      sources: [],
      isVerified: null,
      gaps: [{ code: 'process-only', text: `rollcall knows ${kind} by its process only` }],
    };
  });
}

function placeOf(entry: SessionEntry, paneId: string) {
  const activity = entry.panes.find((pane) => pane.paneId === paneId)?.activity ?? entry.activity;
  return { key: entry.key, session: entry.name, server: entry.server.label, paneId, activity };
}
