import { KINDS as AGENTS, type AgentKind } from '../../machine/agent-kinds.ts';
import type { Machine } from '../../machine/machine.ts';
import type { SimPane, SimSession } from '../../machine/tmux-parts.ts';
import type { SimTmuxServer } from '../../machine/tmux-server.ts';
import { kind, MINUTE, SECOND, time } from '../kind.ts';
import type { Spot } from '../spot.ts';

export const DEFAULT_SOCKET = '/tmp/tmux-1000/default';
const OTHER_SOCKET = '/tmp/tmux-1000/other';

/** How its panes are. */
const LAYOUTS = [
  'alone',
  'in-shell',
  'beside-shell',
  'beside-program',
  'two-agents',
  'shell',
  'program',
] as const;
type Layout = (typeof LAYOUTS)[number];

const LIKELY_AGENTS = ['full', 'full', 'full', 'hooks', 'hooks', 'screen-only', 'generic'] as const;
const USUAL = ['alone', 'alone', 'in-shell', 'in-shell', 'beside-shell'] as const;
const LIKELY_LAYOUTS = [...USUAL, ...USUAL, ...USUAL, ...USUAL, ...LAYOUTS] as const;

/** A session begins: by hand, or by `rollcall run`. */
const start = kind(
  (rng) => ({
    agent: rng.pick(LIKELY_AGENTS) as string,
    layout: rng.pick(LIKELY_LAYOUTS) as string,
    by: rng.pick(['person', 'person', 'person', 'rollcall'] as const) as string,
    name: '',
    server: rng.chance(0.12) ? 'other' : 'default',
    mcp: rng.chance(0.4) ? rng.int(1, 5) : 0,
    /** How long its program runs, where it has one. */
    endsMs: time(rng, 5 * SECOND, 60 * MINUTE),
  }),
  (
    { session: label, agent, layout, by, name, server: on, mcp, endsMs },
    { machine, rollcalls, cast, session },
  ) => {
    if (session !== undefined || machine.isDown) return false;
    const socket = on === 'other' ? OTHER_SOCKET : DEFAULT_SOCKET;
    const called = name === '' ? String(label) : name;
    const cwd = `${machine.home}/${label}`;
    if (by === 'rollcall') {
      cast.expect(String(label), called);
      const program = [`/usr/bin/${AGENTS[agent as AgentKind].program}`];
      rollcalls.run('run', { program, name: called, cwd, server: socket });
      return;
    }
    const server = machine.startServer(socket);
    if (server.mood !== 'well') return false;
    const made = begun(machine, server, {
      label: String(label),
      name: called,
      cwd,
      kind: agent as AgentKind,
      layout: layout as Layout,
      programMs: endsMs,
    });
    machine.clock.after(2 * SECOND, () => helpersOf(machine, made, mcp));
  },
);

interface Wish {
  readonly label: string;
  readonly name: string;
  readonly cwd: string;
  readonly kind: AgentKind;
  readonly layout: Layout;
  readonly programMs?: number;
  readonly conversation?: string;
}

/** Makes it as a person does. */
export function begun(
  machine: Machine,
  server: SimTmuxServer,
  { label, name, cwd, kind: agent, layout, conversation, programMs = 60_000 }: Wish,
): SimSession {
  const resume = conversation === undefined ? [] : ['--resume', conversation];
  const argv = [`/usr/bin/${AGENTS[agent].program}`, ...resume];
  const isShellFirst = layout === 'in-shell' || layout === 'shell';
  const program = ['ends', String(programMs), '0'];
  const first = isShellFirst ? ['/bin/bash'] : layout === 'program' ? program : argv;
  const session = server.newSession({ label, name, cwd, argv: first }, 'person');
  const pane = session.current.active;
  if (layout === 'in-shell') machine.shellIn(pane)?.run(argv, 'person', 350 * 1024 * 1024);
  if (layout === 'beside-shell') server.split(pane, { argv: ['/bin/bash'], cwd }, 'person');
  if (layout === 'beside-program') server.newWindow(session, { argv: program, cwd }, 'person');
  if (layout === 'two-agents')
    server.newWindow(session, { argv: [`/usr/bin/${AGENTS.full.program}`], cwd }, 'person');
  return session;
}

function helpersOf(machine: Machine, session: SimSession, count: number): void {
  if (session.isGone) return;
  const panes = session.windows.flatMap((window) => window.panes);
  const agent = panes.map((pane) => machine.agentIn(pane)).find((one) => one !== undefined);
  for (let at = 0; at < count; at += 1) {
    const helper = agent?.startChild([`/usr/bin/mcp-server-${at}`]);
    if (helper !== undefined) [helper.pipes.reads, helper.pipes.writes] = [true, true];
  }
}

/** Somebody wants to go on where a session is asleep, left at a shell, or gone. */
const comeBack = kind(
  (rng) => ({
    forMs: time(rng, 20 * SECOND, 20 * MINUTE),
    way: rng.pick(['enter', 'rollcall'] as const) as string,
  }),
  ({ session: label, forMs, way }, spot) => {
    const { machine, rollcalls, cast, session, agent, pane } = spot;
    if (machine.isDown) return false;
    if (session === undefined) {
      const key = cast.keyOf(String(label));
      if (key === null) return false;
      rollcalls.run('reopen', { receipt: key });
      return;
    }
    if (agent !== undefined || pane === undefined || !spot.isReached) return false;
    const { server } = session;
    const shell = machine.shellIn(pane);
    if (shell !== null && shell.standing === 'prompt' && shell.draft === '') {
      visit(spot, session, forMs);
      shell.run(
        [`/usr/bin/${AGENTS.full.program}`, '--resume', conversationFor(spot, pane)],
        'person',
        350 * 1024 * 1024,
      );
      return;
    }
    if (way === 'rollcall') {
      rollcalls.run('wake', { session: session.key });
      return;
    }
    visit(spot, session, forMs);
    spot.after(SECOND, () => {
      if (!session.isGone) server.press(pane, 'Enter', 'person');
    });
  },
);

function conversationFor({ machine, session }: Spot, pane: SimPane): string {
  const busy = new Set([...machine.agents].map(({ truth }) => truth.conversation));
  const known = [...machine.conversations.values()].findLast(
    ({ id, cwd, kind: of }) => of === 'full' && cwd === pane.process.cwd && !busy.has(id),
  );
  return known?.id ?? machine.rng.fork(`asked ${session?.key} ${machine.clock.ms}`).uuid();
}

/** Somebody is there for so long. */
export function visit(spot: Spot, session: SimSession, forMs: number, isControl = false) {
  const { server } = session;
  const client = server.attach(session, 'person', isControl);
  spot.after(forMs, () => server.detach(client, 'person'));
  return client;
}

export const SESSIONS = { start, 'come-back': comeBack } as const;
