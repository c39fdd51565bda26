import { WAITING_FOR, type WaitingFor } from '../../../../src/core/verdict/verdict.ts';
import type { SimAgent } from '../../machine/agent.ts';
import { KINDS as AGENTS, type AgentKind } from '../../machine/agent-kinds.ts';
import { kind, MINUTE, SECOND, time } from '../kind.ts';
import { visit } from './sessions.ts';

/** A turn: somebody prompts it (and stays or goes), it calls itself, or a timer of it does. */
const turn = kind(
  (rng) => ({
    by: rng.pick(['person', 'person', 'itself', 'timer'] as const) as string,
    forMs: time(rng, 2 * SECOND, 30 * MINUTE),
    staysMs: time(rng, 0, 10 * MINUTE),
  }),
  ({ by, forMs, staysMs }, spot) => {
    const { agent, session } = spot;
    if (agent === undefined || session === undefined || agent.truth.turn === 'running') return false;
    const over = () => spot.after(forMs, () => agent.endTurn());
    if (by !== 'person') {
      agent.beginTurn('agent');
      over();
      return;
    }
    if (!spot.isReached) return false;
    const client = visit(spot, session, 2 * SECOND + staysMs);
    const { server } = session;
    const { pane } = agent;
    spot.after(SECOND, () => {
      if (session.isGone || server.mood !== 'well') return;
      server.input(client);
      server.type(pane, 'go on', 'person');
    });
    spot.after(1500, () => {
      if (session.isGone || server.mood !== 'well') return;
      server.input(client);
      server.press(pane, 'Enter', 'person');
      over();
    });
  },
);

/** It asks for something, and somebody answers, or nobody for a long time. */
const dialog = kind(
  (rng) => ({ waitingFor: rng.pick(WAITING_FOR) as string, forMs: time(rng, 5 * SECOND, 3 * 60 * MINUTE) }),
  ({ waitingFor, forMs }, spot) => {
    const { agent } = spot;
    if (agent === undefined || agent.truth.dialog !== null) return false;
    agent.openDialog(waitingFor as WaitingFor);
    spot.after(forMs, () => agent.answerDialog());
  },
);

/** Something unsent stands in its input box: another program has typed it, or a person who has gone. */
const draft = kind(
  (rng) => ({
    forMs: time(rng, SECOND, 4 * 60 * MINUTE),
    end: rng.pick(['sent', 'deleted', 'left'] as const) as string,
  }),
  ({ forMs, end }, spot) => {
    const { agent } = spot;
    if (agent === undefined || agent.truth.isStarting || agent.truth.dialog !== null) return false;
    if (agent.truth.draft !== '' || !spot.isReached) return false;
    const { server } = agent.pane;
    server.type(agent.pane, 'and then', 'person');
    spot.after(forMs, () => {
      if (!agent.isAlive || agent.pane.isDead || server.isGone) return;
      if (end === 'sent') server.press(agent.pane, 'Enter', 'person');
      if (end === 'deleted') agent.setDraft('', 'person');
      if (end === 'sent') spot.after(20 * SECOND, () => agent.endTurn());
    });
  },
);

/** Tasks that outlive the turn, as the agent itself tells of them. */
const background = kind(
  (rng) => ({
    count: rng.int(1, 3),
    forMs: time(rng, 5 * SECOND, 90 * MINUTE),
    isProcess: rng.chance(0.5),
  }),
  ({ count, forMs, isProcess }, spot) => {
    const { agent, machine } = spot;
    if (agent === undefined || agent.truth.background > 0 || agent.truth.isStarting) return false;
    const child = isProcess ? agent.startChild(['/bin/sh', '-c', 'npm run build']) : null;
    agent.setBackground(count);
    spot.after(forMs, () => {
      if (child !== null) machine.processes.end(child, { status: 0 }, 'agent');
      agent.setBackground(0);
    });
  },
);

/** A child below it: a tool, a forgotten build, a helper, something that left the terminal. */
const child = kind(
  (rng) => ({
    what: rng.pick(['tool', 'helper', 'apart', 'nohup'] as const) as string,
    forMs: time(rng, SECOND, 90 * MINUTE),
  }),
  ({ what, forMs }, spot) => {
    const { agent, machine } = spot;
    if (agent === undefined) return false;
    const { pid, cwd, env } = agent.process;
    const spec = { cwd, env, ppid: pid, group: 'own' } as const;
    const started =
      what === 'nohup'
        ? machine.processes.spawn({ ...spec, argv: ['/usr/bin/server'], ignoresHangup: true }, 'agent')
        : agent.startChild(
            [what === 'helper' ? '/usr/bin/mcp-server-git' : '/usr/bin/make'],
            'agent',
            what === 'apart',
          );
    if (what === 'helper') [started.pipes.reads, started.pipes.writes] = [true, true];
    spot.after(forMs, () => machine.processes.end(started, { status: 0 }, 'agent'));
  },
);

/** It ends: by itself, with an error, or by a crash. */
const leaves = kind(
  (rng) => ({
    how: rng.pick(['status 0', 'status 0', 'status 1', 'status 130', 'SIGKILL', 'SIGHUP'] as const) as string,
  }),
  ({ how }, { agent, machine }) => {
    if (agent === undefined) return false;
    const [word, status] = how.split(' ');
    machine.processes.end(
      agent.process,
      status === undefined ? { signal: word as 'SIGKILL' } : { status: Number(status) },
      'agent',
    );
  },
);

/** How it takes being asked to go, from now on. */
const manners = kind(
  (rng) => ({
    exit: rng.pick(['quick', 'slow', 'asks', 'ignored'] as const) as string,
    term: rng.pick(['quick', 'slow', 'ignored'] as const) as string,
    hangup: rng.pick(['quick', 'ignored'] as const) as string,
    child: rng.chance(0.3),
    ms: time(rng, 100, 40 * SECOND),
  }),
  ({ exit, term, hangup, child: leavesChild, ms }, { agent }) => {
    if (agent === undefined) return false;
    agent.leaving.exit =
      exit === 'asks' || exit === 'ignored' ? exit : { afterMs: exit === 'quick' ? 200 : ms };
    agent.leaving.term = term === 'ignored' ? 'ignored' : { endsAfterMs: term === 'quick' ? 100 : ms };
    agent.leaving.hangup = hangup === 'ignored' ? 'ignored' : 'ends';
    agent.leaving.child = leavesChild ? ['/bin/sh', '-c', 'save'] : null;
  },
);

/** The conversation in it becomes another one, or goes on elsewhere too. */
const conversation = kind(
  (rng) => ({ how: rng.pick(['cleared', 'forked', 'elsewhere', 'deleted'] as const) as string }),
  ({ how, session: label, at }, spot) => {
    const { agent, machine, session } = spot;
    const id = agent?.truth.conversation ?? null;
    if (agent === undefined || session === undefined || id === null || agent.truth.isStarting) return false;
    if (how === 'deleted') {
      const kept = machine.conversations.get(id);
      if (kept !== undefined) kept.isThere = false;
      return;
    }
    if (how === 'elsewhere') {
      if (!spot.isReached) return false;
      const { argv, cwd } = agent.process;
      const program = [argv[0] ?? '', '--resume', id];
      session.server.newSession({ name: `${label}-again-${at}`, argv: program, cwd }, 'person');
      return;
    }
    if (agent.truth.turn === 'running') return false;
    changed(agent, machine.rng.fork(`${how} ${label} ${at}`).uuid());
  },
);

function changed(agent: SimAgent, id: string): void {
  const { pid, startTicks } = agent.process;
  agent.truth.conversation = id;
  agent.machine.journal.note('agent', {
    what: 'conversation',
    pid,
    startTicks,
    kind: agent.kind,
    detail: id,
  });
  agent.beginTurn('agent');
  agent.machine.clock.after(2 * SECOND, () => agent.endTurn());
}

/** Another program, maybe another kind of agent, takes the pane. */
const taken = kind(
  (rng) => ({
    agent: rng.pick(['full', 'hooks', 'screen-only', 'generic'] as const) as string,
    how: rng.pick(['respawn', 'shell'] as const) as string,
  }),
  ({ agent, how }, spot) => {
    const { pane, shell, session } = spot;
    if (session === undefined || pane === undefined || !spot.isReached) return false;
    const argv = [`/usr/bin/${AGENTS[agent as AgentKind].program}`];
    if (how === 'respawn') session.server.respawn(pane, { argv, cwd: pane.startPath }, 'person');
    else if (shell?.standing === 'prompt') shell.run(argv, 'person', 350 * 1024 * 1024);
    else return false;
  },
);

export const AGENT_EVENTS = {
  turn,
  dialog,
  draft,
  background,
  child,
  leaves,
  manners,
  conversation,
  taken,
} as const;
