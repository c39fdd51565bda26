import type { SignSource } from '../../core/agent/sign.ts';
import type { Problem } from '../../core/sight/roll.ts';
import type { InstalledAgent } from '../../ports/installed-agents.ts';
import type { Line } from '../render/line.ts';
import { line, padLine, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import type { RunningAgent } from './running-agents.ts';

export interface ShownAgents {
  readonly installed: readonly InstalledAgent[];
  readonly running: readonly RunningAgent[];
  readonly problems: readonly Problem[];
}

const SOURCE_NAMES: Readonly<Record<SignSource, string>> = {
  agent: 'own status',
  hook: 'hooks',
  transcript: 'transcript',
  title: 'title',
  screen: 'screen',
};

/** The page of `rollcall agents`. */
export function agentsLines({ installed, running, problems }: ShownAgents, width: number | null): Line[] {
  const told = problemLines(problems, width);
  return [
    line('INSTALLED', 'heading'),
    ...(installed.length === 0 ? [line('  no agent that rollcall knows is on PATH', 'quiet')] : []),
    ...installed.flatMap((agent) => installedLines(agent, width)),
    line(),
    line('RUNNING IN TMUX', 'heading'),
    ...(running.length === 0 ? [line('  none', 'quiet')] : []),
    ...running.flatMap((agent) => runningLines(agent, width)),
    ...(told.length === 0 ? [] : [line(), ...told]),
  ];
}

const NAME_WIDTH = 14;

function installedLines({ kind, path, version, verified, isVerified }: InstalledAgent, width: number | null) {
  const range =
    verified && (verified.from === verified.to ? verified.from : `${verified.from}–${verified.to}`);
  const trust =
    range === null ? 'known by its process only' : isVerified ? 'verified' : `verified on ${range} only`;
  const head = padLine([span('  '), span(kind)], NAME_WIDTH + 2);
  const body = [span(version ?? 'version not told'), span(`  ${trust}  ${path}`, 'quiet')];
  return wrap(head, body, width);
}

function runningLines(agent: RunningAgent, width: number | null): Line[] {
  const { session, paneId, kind, version, pid, activity, sources, isVerified, gaps } = agent;
  const names = sources.map((source) => SOURCE_NAMES[source]).join(', ');
  const indent = padLine([], 4);
  return [
    ...wrap(
      [span('  ')],
      [
        span(`${session} ${paneId}`),
        span(`  ${kind}${version === null ? '' : ` ${version}`} (pid ${pid}), ${activity}`, 'quiet'),
      ],
      width,
    ),
    ...wrap(indent, line(names === '' ? 'nothing is heard of it' : `heard: ${names}`), width),
    ...(isVerified === false
      ? wrap(indent, line('rollcall was not verified on this version', 'quiet'), width)
      : []),
    ...gaps.flatMap((gap) => wrap(indent, line(`missing: ${gap.text}`, 'quiet'), width)),
  ];
}
