import { cpuTimeMs } from '../../adapters/daemon/cpu-time.ts';
import { createGiveBack } from '../../adapters/daemon/give-back.ts';
import { createLogFile } from '../../adapters/daemon/log-file.ts';
import { beSeldomBusy } from '../../adapters/daemon/seldom-busy.ts';
import { createStirring } from '../../adapters/daemon/stirring.ts';
import { readProcessStat } from '../../adapters/lock/process-stat.ts';
import { createTmuxActuator } from '../../adapters/tmux/act/tmux-actuator.ts';
import type { Begun, Supervision } from '../../cli/up/supervision.ts';
import { DAEMON } from '../../core/lock/subject.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { createCloseTurn } from '../../engine/daemon/close-turn.ts';
import { createDaemon } from '../../engine/daemon/create-daemon.ts';
import { createInterruptedObserver } from '../../engine/daemon/interrupted-observer.ts';
import {
  createEndsObserver,
  createMissingObserver,
  createRestoreObserver,
} from '../../engine/daemon/lost-observers.ts';
import { seldomSaved } from '../../engine/daemon/seldom-saved.ts';
import { createLayoutsObserver, createStandingObserver } from '../../engine/daemon/standing-observer.ts';
import { createLayoutKeeper } from '../../engine/layouts/keep-layouts.ts';
import { createLook, serialLook } from '../../engine/look/create-look.ts';
import type { DaemonLog, DaemonNote, Timers } from '../../ports/daemon.ts';
import type { Hold } from '../../ports/lock.ts';
import { composeHands } from '../hands.ts';
import { closerParts, openLedger } from '../ledger.ts';
import { composeLocks } from '../locks.ts';
import { endsIn } from '../look/ends.ts';
import { layoutsIn } from '../look/layouts.ts';
import { partsOf, type Scope, wait } from '../look/parts.ts';
import { composePressure } from '../pressure.ts';
import { composeReaper } from '../reaper.ts';
import { labelSocket, ownStateFolder, ownUid } from '../system/own-user.ts';
import { storeOf } from '../system/store-of.ts';
import { beginCompanions } from './companions.ts';
import { type DaemonFiles, daemonFiles, seeDaemon } from './control.ts';
import { restorerOf } from './restore.ts';
import { composeSettler } from './settle.ts';
import { daemonWakes } from './wakes.ts';

export interface DaemonCall {
  readonly servers: readonly string[];
  readonly version: string;
  /** The names that config protects by now; what it protected at the start stays so. */
  readonly protectNow?: () => readonly string[];
}

/** Begins to supervise in this process, unless another one does. */
export async function beginDaemon(
  { env, settings }: Pick<Scope, 'env' | 'settings'>,
  { servers, version, protectNow = () => [] }: DaemonCall,
): Promise<Begun> {
  const sockets = servers.map((server) => labelSocket(server, env));
  const scope = { env, settings, ...(sockets.length > 0 && { sockets }) };
  const folder = ownStateFolder(env);
  if (folder.state === 'refused') return { state: 'failed', text: folder.text, hint: folder.hint };
  const files = daemonFiles(folder.path);
  const locks = await composeLocks(env);
  const taken = locks.tryLock(DAEMON, { task: 'daemon', argv: [] });
  if (taken.state === 'failed') return taken;
  if (taken.state === 'busy') return { state: 'already-running', seen: seeDaemon(locks, files) };
  try {
    return {
      state: 'begun',
      supervision: await supervise({ ...scope, version, protectNow }, files, taken.hold),
    };
  } catch (error) {
    taken.hold.release();
    throw error;
  }
}

async function supervise(
  scope: Scope & Required<Pick<DaemonCall, 'version' | 'protectNow'>>,
  files: DaemonFiles,
  hold: Hold,
): Promise<Supervision> {
  beSeldomBusy();
  const { env, settings } = scope;
  const sockets = scope.sockets === undefined ? {} : { sockets: scope.sockets };
  const log = createLogFile({ path: files.logPath, now: Date.now });
  const own = partsOf(scope);
  const recollections = seldomSaved(own.recollections);
  const isSettling = settings.daemon.settle === 'on';
  const look = serialLook(createLook({ ...own, recollections, settles: async () => () => isSettling }, wait));
  const turn = createCloseTurn();
  const openHands = () => {
    // Hands look for themselves, and build on what was seen until now.
    recollections.flush();
    const protect = [...new Set([...settings.protect, ...scope.protectNow()])];
    return composeHands(env, { ...settings, protect }, { actorKind: 'daemon', ...sockets });
  };
  const daemon = createDaemon({
    look,
    openHands,
    pressure: composePressure(env, settings),
    reaper: composeReaper(env, settings, { look, openHands, turn, ...sockets }),
    settler: composeSettler(env, settings, { openHands, turn }),
    stirring: createStirring(),
    wakes: daemonWakes(env, settings, ownStateFolder(env), log),
    ledger: await openLedger(env, 'daemon'),
    now: () => own.host.now(),
    cpuMs: cpuTimeMs,
    ...{ log, timers: TIMERS },
  });
  const { desk } = daemon;
  log.note('started', { pid: process.pid });
  const crashed = (error: Error) => log.warn('crashed', { text: error.stack ?? error.message });
  process.on('uncaughtExceptionMonitor', crashed);
  desk.onRound(createEndsObserver(desk, endsIn(ownStateFolder(env))));
  desk.onRound(createInterruptedObserver(desk));
  const keepLayouts = createLayoutKeeper({
    ...{ ...own, ledger: desk.ledger, now: Date.now, layouts: layoutsIn(ownStateFolder(env)) },
    tmux: createTmuxActuator({ env, uid: ownUid() }),
  });
  desk.onRound(createLayoutsObserver(keepLayouts, warnOf(log)));
  const restorer = restorerOf(closerParts(env, 'daemon', openHands), log);
  desk.onRound(createMissingObserver(desk.ledger, restorer.record));
  desk.onRound(
    createRestoreObserver({
      ...{ mode: settings.restore.onBoot, ledger: desk.ledger },
      ...restorer,
      onOffer: (text) => log.note('restore-offer', { text }),
    }),
  );
  desk.onRound(createGiveBack());
  const self = { pid: process.pid, bootId: own.host.identity().bootId };
  desk.onRound(createStandingObserver(self, storeOf(files.standing).save, warnOf(log), scope.sockets));
  const { server, others, address, problems } = await beginCompanions({ ...scope, desk, log });
  const firstRound = new Promise<void>((resolve) => {
    const heard = desk.onRound(() => {
      heard();
      resolve();
    });
  });
  const running = daemon.run();
  const ready = firstRound.then(() => {
    const whence = whereabouts(own.host.identity());
    return announce(files, { ...whence, startedAt: desk.startedAt, ...address, problems }, log);
  });
  return {
    desk,
    ready,
    async stop() {
      // Whoever is served goes first, so that nothing new is asked for; the history hears of the last round.
      await attempt(log, () => server.stop());
      await daemon.stop();
      await running;
      for (const companion of others) await attempt(log, () => companion.stop());
      recollections.flush();
      files.remove();
      log.note('stopped', { pid: process.pid });
      process.off('uncaughtExceptionMonitor', crashed);
      hold.release();
    },
  };
}

function whereabouts({ bootId, pidNamespace }: HostIdentity): Pick<DaemonNote, 'bootId' | 'pidNamespace'> {
  return { bootId, ...(pidNamespace !== undefined && { pidNamespace }) };
}

/** Written when it is ready: whoever waits for it reads it here. */
function announce(
  files: DaemonFiles,
  told: Omit<DaemonNote, 'format' | 'pid' | 'startTicks'>,
  log: DaemonLog,
): DaemonNote {
  const startTicks = readProcessStat(process.pid)?.startTicks ?? 0;
  const note: DaemonNote = { format: 1, pid: process.pid, startTicks, ...told };
  const saved = files.note.save(note);
  if (saved.state === 'failed') log.warn('not-announced', { text: saved.text });
  for (const text of told.problems) log.warn('without', { text });
  return note;
}

const warnOf = (log: DaemonLog) => (text: string) => log.warn('not-saved', { text });

async function attempt(log: DaemonLog, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn('stop-failed', { text: (error as Error).message });
  }
}

const TIMERS: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
