import { toAgentsDocument } from '../../contract/agents-document.ts';
import type { SignSource } from '../../core/agent/sign.ts';
import type { InstalledAgent } from '../../ports/installed-agents.ts';
import { defineCommand } from '../frame/command.ts';
import { type Line, span } from '../render/line.ts';
import { labelled, page, section } from '../render/page.ts';
import { show } from '../render/show.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';
import { type RunningAgent, runningAgents } from './running-agents.ts';

export const agentsCommand = defineCommand({
  name: 'agents',
  summary: 'Show installed and running agents, and what rollcall can hear of each.',
  usage: ['rollcall agents [flags]'],
  description: [
    'Lists the agents on PATH with their versions, and whether rollcall was verified on that version. Then every agent that runs in tmux, which of its sources are heard (its own status, its hooks, its transcript, its title, its screen), and what is missing for a surer answer.',
    'A version that was not verified still works: what it says of itself is believed, but its screen alone never makes a session closable.',
  ],
  examples: [
    { command: 'rollcall agents', what: 'what is installed, what runs, what is missing' },
    { command: "rollcall agents --json | jq '.running[] | select(.gaps != [])'", what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'the agents were printed, also when there are none' },
    { name: 'usage', when: 'an unknown flag, or a broken config file' },
    { name: 'not-found', when: 'no server has the name that --server gives' },
  ],
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
