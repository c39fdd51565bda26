import { ending } from '../../core/rules/dead-pane.ts';
import { counted } from '../../core/text/counted.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import type { Evidence, ProcessEvidence } from '../../core/verdict/evidence.ts';
import { age, longBytes, shortDuration } from '../render/amounts.ts';
import { describeGit, sentence } from './describe-git.ts';

/** One piece of evidence in words. A pane is named where the evidence speaks of one. */
export function describeEvidence(evidence: Evidence, now: number): string {
  const pane = 'paneId' in evidence && evidence.paneId !== undefined ? `${evidence.paneId}: ` : '';
  const describe = DESCRIPTIONS[evidence.kind] as (evidence: Evidence, now: number) => string;
  return pane + describe(evidence, now);
}

const DESCRIPTIONS: {
  readonly [K in Evidence['kind']]: (evidence: Extract<Evidence, { kind: K }>, now: number) => string;
} = {
  pane: (pane, now) =>
    sentence([
      pane.isDead ? `dead, its program ended ${ending(pane)}` : 'alive',
      pane.hasNoTerminal === true && 'its program let go of the terminal',
      pane.lastOutputAt !== undefined && `last output ${age(pane.lastOutputAt, now)}`,
      pane.isFullScreen === true && 'full-screen program',
      pane.isInMode && 'in copy mode',
      pane.isWindowShared && 'its window is shared with another session',
      pane.title !== '' && `title “${pane.title}”`,
    ]),
  processes: ({ processes, terminalUsers }) => {
    if (processes.length === 0) return 'no process left';
    const measured = processes.flatMap((note) => (note.cpuPercent === undefined ? [] : [note.cpuPercent]));
    const memory = processes.reduce((sum, note) => sum + note.memoryBytes, 0);
    const outside = processes.filter((note) => note.relation === 'outside').length;
    const keepers = processes.filter(({ isKeeper }) => isKeeper);
    const stopped = processes.filter((note) => note.relation === 'stopped').length;
    return sentence([
      `${counted(processes.length, 'process', 'processes')} (${programs(processes)})`,
      measured.length > 0
        ? `${Math.round(measured.reduce((sum, percent) => sum + percent, 0))}% CPU`
        : 'CPU not measured yet',
      longBytes(memory),
      outside > 0 && `${outside} outside the tree`,
      keepers.length > 0 && `of these ${programs(keepers)} serves more than this session`,
      stopped > 0 && `${stopped} stopped`,
      (terminalUsers?.length ?? 0) > 0 && `${terminalUsers?.length} more with its terminal`,
    ]);
  },
  screen: (screen) => {
    const last = screen.tail.at(-1)?.trim();
    const prompt =
      screen.isPromptEmpty === null
        ? (screen.promptDoubt ?? 'the line at the cursor is not a shell prompt that rollcall knows')
        : screen.isPromptEmpty
          ? 'at a shell prompt with nothing typed'
          : 'something is typed at the prompt';
    return last ? `${prompt}; last line “${last}”` : prompt;
  },
  people: (people, now) => {
    const inputs = people.clients.flatMap((client) =>
      client.lastInputAt === undefined ? [] : [client.lastInputAt],
    );
    const control = people.clients.filter((client) => client.isControl).length;
    return sentence([
      people.clients.length === 0
        ? 'nobody is attached'
        : `${counted(people.clients.length, 'client')} attached (${people.clients.map((client) => client.tty || `pid ${client.pid}`).join(', ')})`,
      control > 0 && `${control} in control mode`,
      people.isThroughGroup && 'through another session',
      inputs.length > 0 && `last input ${age(Math.max(...inputs), now)}`,
      people.lastAttachedAt !== undefined && `last attached ${age(people.lastAttachedAt, now)}`,
      people.clients.length === 0 &&
        people.awayMs !== undefined &&
        `surely away for ${shortDuration(people.awayMs)}`,
    ]);
  },
  git: ({ facts }) => describeGit(facts),
  history: (history) =>
    sentence([
      `seen ${counted(history.observations, 'time')}`,
      history.quietMs > 0 ? `quiet for ${shortDuration(history.quietMs)}` : 'not quiet',
      history.disturbedMs !== undefined && `last change ${shortDuration(history.disturbedMs)} ago`,
      history.agentSeen !== undefined && `${history.agentSeen} was seen here`,
      history.entered !== undefined && history.entered,
    ]),
  agent: (agent) => {
    const version = agent.agentVersion === undefined ? '' : ` ${agent.agentVersion}`;
    return sentence([
      `${agent.agentKind}${version} (pid ${agent.agentPid})`,
      agent.conversation !== undefined && `conversation ${agent.conversation}`,
      agent.resume !== undefined && `resumable with: ${shownCommand(agent.resume, 4096)}`,
      ...agent.gaps.map((gap) => gap.text),
    ]);
  },
  'agent-sign': (sign, now) => {
    const facts = sentence([
      sign.turn === 'running' && 'a turn runs',
      sign.turn === 'over' && 'the turn is over',
      sign.waitingFor !== undefined && sign.waitingFor !== null && `waits for ${sign.waitingFor}`,
      sign.waitingFor === null && 'waits for nothing',
      sign.background !== undefined && sign.background > 0 && `${sign.background} in the background`,
      sign.background === 0 && 'nothing in the background',
      sign.hasDraft === true && 'an unsent draft',
      sign.hasDraft === false && 'no draft',
      sign.isReady === true && 'ready for a prompt',
      sign.since !== undefined && `since ${age(sign.since, now)}`,
      !sign.isVerified && 'not verified on this version',
    ]);
    return facts === '' ? sign.text : `${sign.text} (${facts})`;
  },
  'sensor-unavailable': ({ text }) => `could not look: ${text}`,
  'mass-death': ({ dead, of }) => `${dead} of ${of} panes of this server died between two looks`,
  clock: (clock) =>
    sentence([
      clock.suspendedMs > 0 && `the machine slept for ${shortDuration(clock.suspendedMs)}`,
      clock.steppedMs !== 0 &&
        `the clock was set ${clock.steppedMs > 0 ? 'forward' : 'back'} by ${shortDuration(Math.abs(clock.steppedMs))}`,
      clock.suspendedMs <= 0 && clock.steppedMs === 0 && 'the clock ran evenly',
    ]),
  standing: (standing) =>
    sentence([
      standing.isManaged
        ? `${standing.origin?.how ?? 'started or adopted'} by rollcall`
        : 'neither started nor adopted by rollcall',
      standing.isOwnSession && 'rollcall runs in it',
      standing.protectedBy !== undefined && `protected by the pattern ${standing.protectedBy}`,
      standing.brokenProject !== undefined && 'protected, because the file of its project is broken',
      standing.held !== undefined && 'held',
      standing.retained !== undefined && 'to be kept',
      standing.completion !== undefined && `declared ${standing.completion.outcome}`,
      standing.closing !== undefined && 'being closed',
    ]),
};

function programs(processes: ProcessEvidence['processes']): string {
  const names = [...new Set(processes.map((note) => note.program))];
  return names.length > 4 ? `${names.slice(0, 4).join(', ')}, …` : names.join(', ');
}
