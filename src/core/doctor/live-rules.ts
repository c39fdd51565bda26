import { processKey } from '../sight/identity.ts';
import type { Process } from '../sight/process.ts';
import { type InLine, keptIn, lineInPane, terminalPlace } from '../verdict/whose.ts';
import { type AttributionRule, type KnownProcesses, living, placeKey, word } from './around.ts';
import type { ProcessFacts } from './facts.ts';

/** Only the same user's processes are ever judged; of anybody else's it is only said that they are there. */
const anotherUsers: AttributionRule = ({ uid }, { processes: { ownUid } }) => {
  if (uid === ownUid) return null;
  const whose = uid === null ? 'whose it is cannot be read' : `it belongs to another user (uid ${uid})`;
  return word('foreign', whose);
};

/** rollcall's own daemon, guards and locks outlive the pane that they were called from, and so does what they run. */
const ownProgram: AttributionRule = (stranger, _, { above, strangers }) => {
  const chain = [stranger, ...above(stranger.process).flatMap(({ pid }) => strangers.get(pid) ?? [])];
  const own = chain.find(({ program: { name } }) => OWN_NAMES.has(name));
  if (own === undefined) return null;
  return word('foreign', own === stranger ? 'it is rollcall itself' : 'it runs below rollcall itself');
};

const OWN_NAMES: ReadonlySet<string> = new Set(['rollcall', 'rollcall.cjs']);

/**
 * Below a pane, or below a tmux server: its jobs (`run-shell`, `pipe-pane`) are the server's to end. What was started in a
 * pane and outlived it stays a child of the server too; whose that is, the other rules tell.
 */
const belowServer: AttributionRule = ({ process }, facts, around) => {
  const line = [process];
  for (const ancestor of around.above(process)) {
    const entry = around.byProcess.get(processKey(ancestor));
    if (entry !== undefined) return living(entry, `it runs below pid ${ancestor.pid}, which is in a pane`);
    if (!facts.processes.serverPids.has(ancestor.pid)) {
      line.push(ancestor);
      continue;
    }
    const how = `it runs below the tmux server with pid ${ancestor.pid}`;
    if (around.answered.get(ancestor.pid) !== ancestor.startTicks) {
      return word('unknown', `${how}, which does not answer`);
    }
    const isOfPane = line.some((one) => cameFromPane(one, ancestor.pid, facts, around));
    return isOfPane ? null : word('belongs-to-a-live-session', `${how}, which lives`);
  }
  return null;
};

/** A listing takes seconds at most: what is younger may be in a pane that it does not show yet. */
const LISTED_MS = 5000;

// By the mark of a pane of that server, which its jobs do not bear, or by what was recorded of panes.
function cameFromPane(
  process: Process,
  serverPid: number,
  { roll }: ProcessFacts,
  { strangers, recorded }: KnownProcesses,
): boolean {
  if (process.startedAt > roll.at - LISTED_MS) return false;
  const isMarked = strangers.get(process.pid)?.marks?.pane?.serverPid === serverPid;
  return isMarked || recorded.processes.has(processKey(process));
}

/** Daemons and background sessions of the vendors serve whoever asks, whichever pane started them. */
const vendorDaemon: AttributionRule = (stranger, { processes: { ownUid } }, { above, strangers, kinds }) => {
  const chain = [stranger, ...above(stranger.process).flatMap(({ pid }) => strangers.get(pid) ?? [])];
  const isBackground = chain.some(({ marks }) => marks?.isInBackground ?? false);
  const kind = isBackground ? 'claude' : (chain.find(({ sharedBy }) => sharedBy !== null)?.sharedBy ?? null);
  if (kind === null) return null;
  const clients = [...strangers.values()].some((one) => one.program.agentKind === kind && one.uid === ownUid);
  if (kind === 'claude') {
    return word('vendor-daemon-in-use', 'it is a background session of Claude Code, or serves them', [
      'claude agents shows them, and claude stop ends one',
    ]);
  }
  return kinds.has(kind) || clients
    ? word('vendor-daemon-in-use', `it belongs to the ${kind} daemon, and a ${kind} that uses it runs`)
    : word('foreign', `it belongs to the ${kind} daemon; no ${kind} that uses it was seen`, [
        'a turn may go on in it without any',
      ]);
};

/** The pane or the session that it was started from is there. A pane may have been moved to another session. */
const livePane: AttributionRule = ({ process, marks }, _, { byPlace, answered }) => {
  if (marks?.pane == null) return null;
  const { serverPid, paneId, sessionId } = marks.pane;
  const startTicks = answered.get(serverPid);
  // What is older than the server bears the mark of an earlier one that had its number.
  if (startTicks === undefined || process.startTicks < startTicks) return null;
  const entry = byPlace.get(placeKey(serverPid, paneId)) ?? byPlace.get(placeKey(serverPid, sessionId));
  return entry === undefined
    ? null
    : living(entry, `it was started from pane ${paneId} of ${sessionId} on that server`);
};

/** The conversation that it was started for goes on in a live pane. */
const liveConversation: AttributionRule = ({ marks }, _, { byConversation }) => {
  for (const conversation of marks?.conversations ?? []) {
    const entry = byConversation.get(conversation);
    if (entry !== undefined) {
      return living(entry, `it was started for conversation ${conversation}, which goes on there`);
    }
  }
  return null;
};

/** The agent that started it runs. One that outlived its own session is judged beside; what it started is left with it. */
const liveAgent: AttributionRule = ({ process, marks }, { table }, { byProcess, strangers }) => {
  for (const pid of marks?.agentPids ?? []) {
    const agent = table.byPid.get(pid);
    if (agent === undefined || agent.state === 'Z' || agent.startTicks > process.startTicks) continue;
    const entry = byProcess.get(processKey(agent));
    if (entry !== undefined) return living(entry, `the agent that started it is pid ${pid}`);
    const outside = strangers.get(pid);
    if (outside?.program.role === 'agent' && outside.marks?.pane == null) {
      return word('foreign', `the agent that started it, pid ${pid}, runs outside tmux`);
    }
  }
  return null;
};

/** Codex runs conversations in a daemon too, where they go on without any pane. */
const codexThread: AttributionRule = ({ marks }, { processes: { ownUid } }, { strangers }) => {
  if (marks?.codexThread == null) return null;
  const isServed = [...strangers.values()].some(
    ({ sharedBy, uid }) => sharedBy === 'codex' && uid === ownUid,
  );
  return isServed
    ? word('vendor-daemon-in-use', 'it was started for a Codex conversation, and a Codex daemon runs', [
        `conversation ${marks.codexThread} may go on in it`,
      ])
    : null;
};

/** Terminals, editors and daemons of the whole login, and what runs in them. */
const keptByOthers: AttributionRule = ({ process }, { table }, { strangers }) => {
  const inLine = (one: Process): InLine => {
    const known = strangers.get(one.pid);
    return {
      ...{ process: one, program: known?.program.name ?? null, isShared: false },
      terminal: terminalPlace(one, table.byPid),
      ...(known?.keepsTerminal !== undefined && { keepsTerminal: known.keepsTerminal }),
    };
  };
  // What outlived its pane is still below the server that it was started by.
  const why = keptIn(lineInPane(process, table.byPid).map(inLine));
  return why === null ? null : word('foreign', why);
};

/** A pane takes its terminal with it: whoever has one lives in another, unless an agent made it for a tool. */
const ownTerminal: AttributionRule = ({ process }, _, { above, strangers }) => {
  if (process.tpgid === -1) return null;
  const isAgents = above(process).some(({ pid }) => strangers.get(pid)?.program.role === 'agent');
  return isAgents ? null : word('foreign', 'it runs in a terminal that no tmux server has');
};

/** What keeps a process from being an orphan, in the order in which it is asked for. */
export const LIVE_RULES: readonly AttributionRule[] = [
  anotherUsers,
  ownProgram,
  belowServer,
  vendorDaemon,
  livePane,
  liveConversation,
  liveAgent,
  codexThread,
  keptByOthers,
  ownTerminal,
];
