import type { SessionEntry } from '../../sight/roll.ts';
import { counted } from '../../text/counted.ts';
import { visible } from '../../text/visible.ts';
import type { AgentEvidence } from '../../verdict/evidence.ts';
import type { FindingParts } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import type { InstalledAgent } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Agents of a version that was never tried: their screens then prove no rest. */
export const agentVersions: DoctorCheck = {
  name: 'agent-versions',
  group: 'machine',
  scope: 'machine',
  looksAt: 'versions of agents that run or are installed, and those that were verified',
  examine: ({ roll, machine }) => [
    ...running(shownSessions(roll)),
    // Of an agent that is known by its process alone, nothing was verified on any version.
    ...(machine.installed ?? []).filter((one) => one.verified !== null && !one.isVerified).map(onDisk),
  ],
};

function running(entries: readonly SessionEntry[]): FindingParts[] {
  const byVersion = new Map<string, { readonly text: string; readonly pids: Set<number> }>();
  for (const piece of entries.flatMap(({ evidence }) => evidence)) {
    const gap = piece.kind === 'agent' ? unverified(piece) : undefined;
    if (gap === undefined) continue;
    const { agentKind, agentVersion = 'of unknown version', agentPid } = piece as AgentEvidence;
    const name = visible(`${agentKind} ${agentVersion}`, 80);
    const known = byVersion.get(name) ?? { text: gap.text, pids: new Set() };
    known.pids.add(agentPid);
    byVersion.set(name, known);
  }
  return [...byVersion].map(([name, { text, pids }]) => ({
    class: 'running-unverified',
    severity: 'info',
    text: `${name} runs (${counted(pids.size, 'process', 'processes')}) and was never verified`,
    evidence: [visible(text, 200), `pid ${[...pids].join(', ')}`],
    advice: ['what its own files and hooks tell still counts; what only its screen shows proves no rest'],
  }));
}

function unverified({ gaps }: AgentEvidence) {
  return gaps.find(({ code }) => code === 'version-unverified');
}

function onDisk({ kind, path, version, verified }: InstalledAgent): FindingParts {
  const name = visible(`${kind} ${version ?? 'of unknown version'}`, 80);
  return {
    class: 'installed-unverified',
    severity: 'info',
    text: `${name} is installed; verified are ${verified?.from} to ${verified?.to}`,
    evidence: [visible(path, 200)],
    advice: ['rollcall agents shows them all; a later rollcall may know this version'],
  };
}
