import type { Settings } from '../../config/settings.ts';
import type { Desk } from '../../engine/daemon/desk.ts';
import type { DaemonLog, DaemonNote } from '../../ports/daemon.ts';
import { startServer } from '../../server/start-server.ts';
import { composeHistory, composeHistoryReader } from '../history.ts';
import { viewOf } from '../look/view.ts';
import { composeNotifier } from '../notify.ts';
import { labelSocket, ownStateFolder } from '../system/own-user.ts';

/** Something that lives beside the rounds of a daemon and hears of them. */
export interface Companion {
  stop(): Promise<void> | void;
}

interface Place {
  readonly desk: Desk;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: DaemonLog;
  readonly version: string;
  readonly sockets?: readonly string[];
}

type Address = Pick<DaemonNote, 'url' | 'socket' | 'tokenFile'>;

const NOWHERE: Address = { url: null, socket: null, tokenFile: null };
const NOBODY: Companion = { stop: () => {} };

/** Begins them all. One that cannot begin is told of and left out: supervision needs none of them. */
export async function beginCompanions(place: Place): Promise<{
  readonly server: Companion;
  readonly others: readonly Companion[];
  readonly address: Address;
  readonly problems: readonly string[];
}> {
  const problems: string[] = [];
  const begun = async <T, U>(name: string, begin: () => Promise<T>, without: U): Promise<T | U> => {
    try {
      return await begin();
    } catch (error) {
      problems.push(`no ${name}: ${(error as Error).message}`);
      return without;
    }
  };
  const history = await begun('history', () => beginHistory(place), NOBODY);
  const notifier = await begun('notifications', () => beginNotifier(place), NOBODY);
  const { isHttpOn, port } = place.settings.daemon;
  // A port that cannot be had at all must not cost the socket, which needs none.
  const onPort = isHttpOn ? await begun('port', () => serve(place, port), null) : null;
  const server = onPort ?? (await begun('HTTP', () => serve(place, null), { ...NOBODY, address: NOWHERE }));
  return { server, others: [notifier, history], address: server.address, problems };
}

async function beginHistory({ desk, settings, env }: Place): Promise<Companion> {
  const history = composeHistory(env, settings);
  desk.onRound(history.record);
  await history.started();
  return { stop: () => history.stopped() };
}

async function beginNotifier({ desk, settings, env, log }: Place): Promise<Companion> {
  const notifier = composeNotifier(env, settings, (text) => log.note('notifier', { text }));
  desk.onRound(notifier.observe);
  return { stop: () => notifier.stop() };
}

async function serve(
  { desk, settings, env, log, version, sockets }: Place,
  port: number | null,
): Promise<Companion & { readonly address: Address }> {
  const { url, socketPath, tokenFile, close } = await startServer({
    ...{ desk, log, version, port, now: Date.now },
    folder: ownStateFolder(env).path,
    policies: settings,
    socketOf: (word) => (word.includes('/') ? word : labelSocket(word, env)),
    instruments: {
      // No project is meant: whoever asks may be in any folder.
      doctor: async () =>
        (await import('../doctor/doctor.ts')).composeDoctor(
          { env, settings, ...(sockets && { sockets }) },
          '/',
        ),
      gate: async () => (await import('../gate/gate.ts')).composeGateParts(env, settings),
      history: async () => composeHistoryReader(env),
    },
    shell: env.SHELL,
    view: viewOf({ env, written: settings.written, version, ...(sockets && { sockets }) }),
  });
  return { address: { url, socket: socketPath, tokenFile }, stop: close };
}
