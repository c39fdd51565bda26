import type { ProcessMark } from '../../core/sight/identity.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import type { TmuxSensor } from '../../ports/sensor.ts';
import type { Spawn } from '../programs/run-program.ts';
import { captureScreens } from './capture-screens.ts';
import {
  findSockets,
  inspectSocket,
  realSocketPath,
  type SocketPlace,
  socketFolders,
  socketPathInTmux,
  socketPathOf,
} from './find-sockets.ts';
import { createInquirer } from './inquire.ts';
import { createTmuxRunner } from './run-tmux.ts';
import {
  createServerFinder,
  isStopped,
  readUnixSockets,
  reconcile,
  type ServerProcess,
} from './server-processes.ts';

export interface TmuxSensorOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
  readonly now: () => number;
  /** How long one tmux call may take. An idle server answers in milliseconds; one under load in some hundred. */
  readonly timeoutMs?: number;
  readonly procRoot?: string;
  readonly tmuxPath?: string;
  /** Ask tmux for each pane's directory: where no process sensor can read it. */
  readonly asksPath?: boolean;
  /** Look at these servers only: socket paths, or labels as `tmux -L` takes them. */
  readonly onlySockets?: readonly string[];
  /** Look into these socket folders instead of the usual ones; what TMUX and the process table name is still found. */
  readonly onlyFolders?: readonly string[];
  /** Of the sockets that nobody named, look only at those in this folder or below it: other servers are somebody else's. */
  readonly within?: string;
  /** Sockets that something is expected on (the ledger's), so that their absence is said, not left out. */
  readonly expectedSockets?: () => Iterable<string>;
  /**
   * Whether the folder of a socket answers, asked without touching it in this process; null where it cannot but answer. A server
   * may have been started with a socket anywhere.
   */
  readonly answers?: (socketPath: string) => Promise<boolean> | null;
  readonly spawn?: Spawn;
}

/**
 * Makes the sensor that sees every tmux server of one user. It remembers which servers answered, so that one that
 * goes away is reported absent even where no file is left of it.
 */
export function createTmuxSensor(options: TmuxSensorOptions): TmuxSensor {
  const { uid, now, timeoutMs = 2000, procRoot = '/proc' } = options;
  const run = createTmuxRunner({ ...options, timeoutMs });
  const asksPath = options.asksPath ?? process.platform !== 'linux';
  const inquire = createInquirer(run, { now, timeoutMs, asksPath });
  const folderAnswers = options.answers ?? (() => null);
  const findServers = createServerFinder(procRoot, uid, (path) =>
    folderAnswers(path) === null ? realSocketPath(path) : path,
  );
  const inspect = async (path: string): Promise<SocketPlace> =>
    (await folderAnswers(path)) === false ? silent(path) : inspectSocket(path, uid);
  const seen: SeenServers = new Map();
  let stopped: ReadonlySet<string> = new Set();

  const sense: TmuxSensor['sense'] = async (processes) => {
    const sockets = readUnixSockets(procRoot);
    const inquiries = new Map<
      string,
      { readonly abort: AbortController; readonly answer: Promise<ServerSighting> }
    >();
    const begin = (place: SocketPlace): void => {
      const { socketPath } = place;
      if (inquiries.has(socketPath)) return;
      const abort = new AbortController();
      if (stopped.has(socketPath)) abort.abort();
      const isKnownToListen = sockets?.paths.has(socketPath) || seen.has(socketPath);
      inquiries.set(socketPath, { abort, answer: inquire(place, { isKnownToListen, signal: abort.signal }) });
    };

    // A server that was stopped at the last look is not asked before the process table tells that it runs again:
    // each call would stay in its queue.
    const places = await findPlaces(options, seen.keys(), inspect);
    for (const place of places) if (!stopped.has(place.socketPath)) begin(place);

    const table = processes();
    // Spelled as those who answer are: a path on a mount that may stop is followed only once that has answered.
    const held = new Map<string, SocketPlace>();
    const running = await Promise.all(
      findServers(table, sockets).map(async (server) => {
        const place = await inspect(server.socketPath);
        held.set(place.socketPath, place);
        return { ...server, socketPath: place.socketPath };
      }),
    );
    const servers = serversIn(options, places, seen, table, running);
    stopped = new Set(servers.filter((server) => server.isStopped).map((server) => server.socketPath));
    for (const socketPath of stopped) inquiries.get(socketPath)?.abort.abort();
    for (const place of places) begin(place);
    for (const { socketPath } of servers) begin(held.get(socketPath) ?? (await inspect(socketPath)));

    const answers = await Promise.all([...inquiries.values()].map((inquiry) => inquiry.answer));
    const sightings = reconcile(answers, servers, table, running);
    for (const sighting of sightings) {
      if (sighting.state === 'present') seen.set(sighting.socketPath, sighting);
      if (sighting.state === 'absent') seen.delete(sighting.socketPath);
    }
    return sightings;
  };

  return {
    sense,
    async wake(socketPath) {
      await run(socketPath, ['run-shell', '-b', 'true'], { maxBytes: 1024 });
    },
    capture: (socketPath, paneIds, rowsAbove = 0) =>
      captureScreens(run, { socketPath, paneIds, now, serverPid: seen.get(socketPath)?.pid, rowsAbove }),
  };
}

type SeenServers = Map<string, ProcessMark>;

async function findPlaces(
  options: TmuxSensorOptions,
  seen: Iterable<string>,
  inspect: (path: string) => Promise<SocketPlace>,
): Promise<SocketPlace[]> {
  const { env, uid, onlySockets, onlyFolders } = options;
  if (onlySockets !== undefined) {
    return Promise.all(onlySockets.map((server) => inspect(socketPathOf(server, env, uid))));
  }
  const own = socketPathInTmux(env.TMUX);
  const named = [...(own === undefined ? [] : [own]), ...(options.expectedSockets?.() ?? []), ...seen];
  const folders = onlyFolders ?? socketFolders(env, uid);
  const found = folders.flatMap((folder) => findSockets(folder, uid));
  return [
    ...found.filter(({ socketPath }) => isWithin(socketPath, options.within)),
    ...(await Promise.all(named.map(inspect))),
  ];
}

function silent(socketPath: string): SocketPlace {
  const text = 'the folder of its socket gives no answer: is its mount alive?';
  return { state: 'failed', socketPath, failure: 'timeout', text };
}

/** Adds servers that answered before and still run: without /proc, the only ones whose process is known. */
function serversIn(
  { onlySockets, within }: TmuxSensorOptions,
  places: readonly SocketPlace[],
  seen: SeenServers,
  table: ProcessTable,
  found: readonly ServerProcess[],
): ServerProcess[] {
  const foundPids = new Set(found.map((server) => server.pid));
  const remembered = [...seen].flatMap(([socketPath, { pid, startTicks }]) => {
    const process = table.byPid.get(pid);
    const isSame = startTicks !== 0 && process?.startTicks === startTicks && process.state !== 'Z';
    return isSame && !foundPids.has(pid)
      ? [{ pid, startTicks, isStopped: isStopped(process), socketPath }]
      : [];
  });
  const servers = [...found, ...remembered];
  if (onlySockets === undefined && within === undefined) return servers;
  const asked = new Set(places.map((place) => place.socketPath));
  const isMeant = (socketPath: string) => onlySockets === undefined && isWithin(socketPath, within);
  return servers.filter(({ socketPath }) => asked.has(socketPath) || isMeant(socketPath));
}

function isWithin(socketPath: string, folder: string | undefined): boolean {
  return folder === undefined || socketPath.startsWith(`${folder}/`);
}
