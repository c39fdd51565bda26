import { createHostSensor } from '../../adapters/host/host-sensor.ts';
import type { Settings } from '../../config/settings.ts';
import { CLOSE_TIMINGS } from '../../engine/act/close/order.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Settler } from '../../engine/daemon/parts.ts';
import type { Settles } from '../../engine/look/parts.ts';
import { createSettler, type SettlerParts } from '../../engine/settle/create-settler.ts';
import { closerParts } from '../ledger.ts';
import { composeLocks } from '../locks.ts';
import { ownStateFolder } from '../system/own-user.ts';
import { daemonFiles, seeDaemon } from './control.ts';

/** What a settler shares with whoever runs it. */
export interface SettlerSurroundings
  extends Pick<SettlerParts, 'turn'>,
    Partial<Pick<SettlerParts, 'timings'>> {
  /** Hands with a ledger of their own, which the settler closes. */
  openHands(): Promise<Hands>;
}

/** The settler with the real ledger and hands. */
export function composeSettler(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  { turn, openHands, timings = CLOSE_TIMINGS }: SettlerSurroundings,
): Settler {
  const host = createHostSensor({ now: Date.now });
  return createSettler({
    ...{ mode: settings.daemon.settle, roles: settings, timings, turn, argv: ['rollcall', 'up'] },
    now: () => host.now(),
    ...closerParts(env, 'daemon', openHands),
  });
}

/** Where the daemon that runs closes by itself what is due, by its own word. */
export async function runningSettler(env: NodeJS.ProcessEnv): Promise<Settles> {
  const folder = ownStateFolder(env);
  if (folder.state === 'refused') return () => false;
  const files = daemonFiles(folder.path);
  // Who holds the lock is looked for among the open files of every process. Without this word it would not matter.
  const told = files.standing.load();
  if (told.state !== 'loaded' || told.value.settle?.mode !== 'on') return () => false;
  const seen = seeDaemon(await composeLocks(env), files);
  const settle = seen.state === 'running' ? seen.standing?.settle : undefined;
  if (settle?.mode !== 'on') return () => false;
  const { servers } = settle;
  return (socketPath) => servers === null || servers.includes(socketPath);
}
