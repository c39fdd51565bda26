import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { claudeAgent } from './adapters/agents/claude/claude-agent.ts';
import { codexAgent } from './adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from './adapters/agents/gemini/gemini-agent.ts';
import { genericAgents } from './adapters/agents/generic/generic-agents.ts';
import { opencodeAgent } from './adapters/agents/opencode/opencode-agent.ts';
import { scriptedAgent } from './adapters/agents/scripted/scripted-agent.ts';
import { createDeclaredFacts, type KnownFacts } from './adapters/declared/declared-facts.ts';
import { isCachedFacts } from './adapters/declared/facts-cache.ts';
import { createHostSensor } from './adapters/host/host-sensor.ts';
import { createProcessSensor } from './adapters/proc/process-sensor.ts';
import { createHookLog } from './adapters/spool/hook-log.ts';
import { createJsonFile } from './adapters/state/json-file.ts';
import { createRecollectionFile } from './adapters/state/recollection-file.ts';
import { openStateFolder, type StateFolder } from './adapters/state/state-folder.ts';
import { ledgerMark } from './adapters/store-sqlite/ledger-mark.ts';
import type { Spawn } from './adapters/tmux/run-tmux.ts';
import { realSocketPath, socketPathInTmux, socketPathOf } from './adapters/tmux/socket-path.ts';
import { createTmuxSensor } from './adapters/tmux/tmux-sensor.ts';
import type { Theatre } from './cli/theatre.ts';
import { matchesGlob } from './config/glob.ts';
import type { Settings } from './config/settings.ts';
import { LedgerError } from './core/ledger/ledger-error.ts';
import { isRecollection } from './core/recollection.ts';
import type { Hands } from './engine/act/hands.ts';
import { createLook } from './engine/create-look.ts';
import type { Look } from './engine/look.ts';
import { expectedSockets } from './engine/lost.ts';
import { createNaming } from './engine/naming.ts';
import type { Parts } from './engine/parts.ts';
import { createScreenKeeper } from './engine/screen-keeper.ts';
import type { AgentAdapter } from './ports/agent.ts';
import type { GuardProbes } from './ports/guard.ts';
import type { HookAgent, HookConfig } from './ports/hook-config.ts';
import type { HookLog } from './ports/hook-log.ts';
import type { InstalledAgent } from './ports/installed-agents.ts';
import type { Ledger } from './ports/ledger.ts';
import type { LockDesk, Locks } from './ports/lock.ts';
import type { RecollectionStore } from './ports/recollection-store.ts';
import type { GitSensor } from './ports/sensor.ts';

/** Where the hooks of agents leave their events, in the state folder. */
const SPOOL = 'spool';

/** Where a look looks from: the environment of the process, and what narrows it. */
export interface Scope {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
  /** Only these sockets; every server of the user otherwise. */
  readonly sockets?: readonly string[];
  /** Starts tmux; replaceable so that the forks can be counted. */
  readonly spawn?: Spawn;
}

/** Wires the real adapters to the engine. The only place that knows them all. */
export function compose(scope: Scope): Look {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return createLook(partsOf(scope), wait);
}

/** Finds the agents that are installed. */
export async function findInstalledAgents(env: NodeJS.ProcessEnv): Promise<readonly InstalledAgent[]> {
  const { findInstalled } = await import('./adapters/installed-agents/find-installed.ts');
  return findInstalled({ env, agents: allAgents().filter((agent) => agent.kind !== 'scripted') });
}

/** The hooks in the agents' own settings, for the user and for the project around `cwd`. */
export async function composeHookConfig(env: NodeJS.ProcessEnv, cwd: string): Promise<HookConfig> {
  const { createHookConfig } = await import('./adapters/hook-config/hook-config.ts');
  const { hookScript } = await import('./hook/hook-script.ts');
  const now = Date.now;
  const agents = allAgents();
  const folder = openStateFolder({ env, uid: process.getuid?.() ?? 0 });
  const log = hooksIn(folder, agents, now);
  const eventsOf = (kind: HookAgent) => agents.find((agent) => agent.kind === kind)?.hooks?.events ?? [];
  const spoolFolder = join(folder.path, SPOOL);
  return createHookConfig({
    ...{ env, cwd, now, spoolFolder },
    spoolProblem: folder.state === 'refused' ? { ...folder, file: folder.path, line: null } : null,
    script: hookScript(spoolFolder),
    events: {
      claude: eventsOf('claude'),
      codex: eventsOf('codex'),
      gemini: eventsOf('gemini'),
      opencode: eventsOf('opencode'),
    },
    lastHeardAt: (agent) => log.about(agent)[0]?.last.at ?? null,
  });
}

/** The ledger of this user on this machine, for one who acts in this process. Nothing is made before the first entry. */
export async function openLedger(
  env: NodeJS.ProcessEnv,
  actorKind: string,
  busyTimeoutMs?: number,
): Promise<Ledger> {
  const { openSqliteLedger } = await import('./adapters/store-sqlite/sqlite-ledger.ts');
  const folder = openStateFolder({ env, uid: process.getuid?.() ?? 0 });
  if (folder.state === 'refused') throw new LedgerError('unavailable', folder.text, folder.hint);
  const { machineId, bootId } = createHostSensor({ now: Date.now }).identity();
  const actor = { kind: actorKind, pid: process.pid, user: userName(env) };
  return openSqliteLedger({
    folder: folder.path,
    author: { host: machineId, bootId, actor },
    now: Date.now,
    ...(busyTimeoutMs !== undefined && { busyTimeoutMs }),
  });
}

/** Locks of projects, and the programs that run under them. */
export async function composeLockDesk(env: NodeJS.ProcessEnv): Promise<LockDesk> {
  const { createLockDesk } = await import('./adapters/lock/lock-desk.ts');
  return createLockDesk(await composeLocks(env), env);
}

/** Everything that changes sessions, for one who acts in this process. Whoever asks for it closes its ledger. */
export async function composeHands(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  { sockets, onStep }: Pick<Scope, 'sockets'> & Pick<Hands, 'onStep'> = {},
): Promise<Hands> {
  const { createTmuxActuator } = await import('./adapters/tmux/act/tmux-actuator.ts');
  const { createProcessActuator } = await import('./adapters/proc/process-actuator.ts');
  const { createArchive } = await import('./adapters/archive/archive.ts');
  const { createCommandRunner } = await import('./adapters/commands/run-command.ts');
  const { createWriterLock } = await import('./adapters/lock/writer-lock.ts');
  const uid = process.getuid?.() ?? 0;
  const parts = partsOf({ env, settings, ...(sockets && { sockets }) });
  const locks = await composeLocks(env);
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return {
    look: createLook(parts, wait),
    ledger: await openLedger(env, 'cli'),
    locks,
    writer: createWriterLock(locks),
    tmux: createTmuxActuator({ env, uid }),
    screens: parts.tmux,
    processes: { ...parts.processes, ...createProcessActuator() },
    agents: parts.agents,
    archive: createArchive({ folder: openStateFolder({ env, uid }).path }),
    runCommand: createCommandRunner(env),
    socketOf: (server) =>
      realSocketPath(
        server === undefined
          ? (socketPathInTmux(env.TMUX) ?? socketPathOf('default', env, uid))
          : socketPathOf(server, env, uid),
      ),
    isFolder,
    now: Date.now,
    wait,
    ...(onStep && { onStep }),
  };
}

/** What a guard looks through: the kernel's word on processes, one tmux server, and the sentinel's file. */
export async function composeGuardProbes(env: NodeJS.ProcessEnv, timeoutMs: number): Promise<GuardProbes> {
  const { createGuardListing } = await import('./adapters/tmux/guard-listing.ts');
  const { openPulse } = await import('./adapters/guard/process-pulse.ts');
  const { sentinelProblem, writeSentinel } = await import('./adapters/guard/sentinel-file.ts');
  const listing = createGuardListing({ env, uid: process.getuid?.() ?? 0, now: Date.now, timeoutMs });
  return { ...listing, openPulse: (one) => openPulse(one), sentinelProblem, writeSentinel };
}

/** The demo's theatre: stages of its own, each with a look that sees only that stage and remembers only there. */
export function composeTheatre({ env, settings }: Scope): Theatre {
  const uid = process.getuid?.() ?? 0;
  // Nobody wants to wait a minute for a demo's leftovers to count as such.
  const policy = { ...settings.policy, exitedAfterMs: 1000, startingMs: 0 };
  return {
    async setUp(label) {
      const { setUpStage } = await import('./adapters/stage/demo-stage.ts');
      const setUp = await setUpStage({ env, uid, label });
      if (setUp.state === 'refused') return setUp;
      const { stage } = setUp;
      const scope = { env: { ...env, XDG_STATE_HOME: stage.folder }, settings: { ...settings, policy } };
      return { state: 'ready', stage, look: compose({ ...scope, sockets: [stage.socketPath] }) };
    },
    async strike(label) {
      const { strikeStage } = await import('./adapters/stage/demo-stage.ts');
      return strikeStage({ env, uid, label });
    },
  };
}

/** The parts one by one, for the benchmark, which measures them. */
export function partsOf({ env, settings, sockets, spawn }: Scope): Parts {
  const uid = process.getuid?.() ?? 0;
  const now = Date.now;
  const agents = allAgents();
  const folder = openStateFolder({ env, uid });
  const host = createHostSensor({ now });
  const declared = declaredIn(folder, env, now);
  const tmux = createTmuxSensor({
    env,
    uid,
    now,
    timeoutMs: settings.tmux.timeoutMs,
    expectedSockets: () => expectedSockets(declared.known(), host.identity()),
    ...(sockets && { onlySockets: sockets }),
    ...(spawn && { spawn }),
  });
  return {
    tmux,
    screens: createScreenKeeper(tmux.capture),
    hooks: hooksIn(folder, agents, now),
    declared,
    processes: createProcessSensor({ now }),
    git: gitOnDemand(env, now, settings),
    host,
    agents,
    naming: createNaming(agents),
    recollections: recollectionsIn(folder),
    policy: settings.policy,
    protectedBy: (name) => settings.protect.find((pattern) => matchesGlob(pattern, name)),
    ownPane: ownPaneOf(env),
    isTmuxInstalled: () => isOnPath('tmux', env),
  };
}

function allAgents(): readonly AgentAdapter[] {
  return [claudeAgent(), codexAgent(), geminiAgent(), opencodeAgent(), ...genericAgents, scriptedAgent()];
}

async function composeLocks(env: NodeJS.ProcessEnv): Promise<Locks> {
  const { createLocks, noLocks } = await import('./adapters/lock/locks.ts');
  const folder = openStateFolder({ env, uid: process.getuid?.() ?? 0 });
  if (folder.state === 'refused') return noLocks(folder);
  const now = Date.now;
  const host = createHostSensor({ now });
  const processes = createProcessSensor({ now });
  return createLocks({
    folder: join(folder.path, 'locks'),
    bootId: () => host.identity().bootId,
    processes,
    now,
  });
}

// Most looks ask git nothing, and its code takes time to load.
function gitOnDemand(env: NodeJS.ProcessEnv, now: () => number, { git }: Settings): GitSensor {
  let sensor: Promise<GitSensor> | undefined;
  const load = async (): Promise<GitSensor> => {
    const { createGitSensor } = await import('./adapters/git/git-sensor.ts');
    return createGitSensor({ env, now, timeoutMs: git.timeoutMs, maxParallel: git.parallel });
  };
  return {
    async sense(cwds) {
      sensor ??= load();
      return (await sensor).sense(cwds);
    },
  };
}

// A state folder that is refused is told of by the memory of the looks.
function hooksIn(folder: StateFolder, agents: readonly AgentAdapter[], now: () => number): HookLog {
  if (folder.state === 'refused') return { about: () => [], problem: () => null };
  const translations = new Map(agents.flatMap(({ kind, hooks }) => (hooks ? [[kind, hooks.translate]] : [])));
  return createHookLog({
    folder: join(folder.path, SPOOL),
    translate: (kind) => translations.get(kind),
    now,
    // A single command reads so few again faster than it saves them.
    leastToSave: 100,
  });
}

/** One look need not wait longer for a ledger that somebody writes to; what it cannot read is unknown until the next. */
const LOOK_WAITS_MS = 1000;

// A state folder that is refused holds no ledger that anybody could have written to.
function declaredIn(folder: StateFolder, env: NodeJS.ProcessEnv, now: () => number): KnownFacts {
  if (folder.state === 'refused') {
    return { current: () => ({ state: 'read', facts: new Map() }), known: () => new Map() };
  }
  return createDeclaredFacts({
    mark: () => ledgerMark(folder.path),
    cache: createJsonFile({
      ...{ folder: folder.path, name: 'facts.json', maxBytes: FACTS_BYTES },
      isValid: isCachedFacts,
    }),
    openLedger: () => openLedger(env, 'look', LOOK_WAITS_MS),
    now,
  });
}

/** About 1 KiB for each of some thousand sessions, and room to spare. */
const FACTS_BYTES = 16 * 1024 * 1024;

function recollectionsIn(folder: StateFolder): RecollectionStore {
  if (folder.state === 'refused') {
    const problem = `${folder.text} (${folder.hint})`;
    return { load: () => ({ value: null, problem }), save: () => null };
  }
  const file = createRecollectionFile({ folder: folder.path, isValid: isRecollection });
  return {
    load() {
      const loaded = file.load();
      if (loaded.state === 'loaded') return { value: loaded.value };
      return { value: null, ...(loaded.state === 'damaged' && { problem: loaded.text }) };
    },
    save(value) {
      const saved = file.save(value);
      return saved.state === 'failed' ? saved.text : null;
    },
  };
}

// A user without an entry in the system's list, as in many containers, has no name.
function userName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? String(process.getuid?.() ?? '');
  }
}

// TMUX is "socket,server pid,session"; asking tmux itself which session this is answers with an arbitrary one.
function ownPaneOf({ TMUX, TMUX_PANE }: NodeJS.ProcessEnv): Parts['ownPane'] {
  const serverPid = Number(TMUX?.split(',').at(-2));
  return TMUX_PANE !== undefined && serverPid > 0 ? { serverPid, paneId: TMUX_PANE } : null;
}

function isOnPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
