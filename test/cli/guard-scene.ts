import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { composeGuardProbes } from '../../src/compose/guard.ts';
import { type SentinelDocument, sentinelSchema } from '../../src/contract/guard-schemas.ts';
import type { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { type Ran, run } from './fake-outside.ts';

/** A guard or a wait on the test's own servers: real sensors, real probes, only the process around it is a test's. */
export interface GuardScene {
  readonly look: RealLook;
  readonly sentinelPath: string;
  /** Listings that tmux was asked for so far. */
  listings(): number;
  /** Times that screens were captured so far. */
  captures(): number;
  run(argv: readonly string[]): Promise<Ran>;
  /** Starts it and waits until it watches, that is, until the look that resolves names is over. */
  start(argv: readonly string[]): Promise<{ readonly ended: Promise<Ran>; interrupt(): void }>;
  sentinel(): SentinelDocument | null;
}

export function guardScene(servers: readonly PrivateTmux[], folder: string): GuardScene {
  const look = realLook(servers);
  const sentinelPath = join(folder, 'sentinel.json');
  let listings = 0;
  let captures = 0;
  const start: GuardScene['start'] = async (argv) => {
    const listeners: (() => void)[] = [];
    let watch: () => void = () => {};
    const watching = new Promise<void>((resolve) => {
      watch = resolve;
    });
    const ended = run(argv, {
      cwd: folder,
      roll: (options) => look.roll(options),
      guardProbes: async (_, timeoutMs) => {
        const probes = await composeGuardProbes(process.env, timeoutMs);
        return {
          ...probes,
          list: async (socketPath, signal) => {
            const sighting = await probes.list(socketPath, signal);
            listings += 1;
            return sighting;
          },
          capture: async (...asked) => {
            const screens = await probes.capture(...asked);
            captures += 1;
            return screens;
          },
          // The first pulse is opened once everything is resolved; two turns later all of them are.
          openPulse: (one) => {
            setTimeout(watch, 0);
            return probes.openPulse(one);
          },
        };
      },
      onSignal: (signal, listener) => {
        if (signal === 'SIGINT') listeners.push(listener);
        return () => {};
      },
    });
    await Promise.race([watching, ended]);
    return {
      ended,
      interrupt: () => {
        for (const listener of listeners) listener();
      },
    };
  };
  return {
    look,
    sentinelPath,
    listings: () => listings,
    captures: () => captures,
    start,
    run: async (argv) => (await start(argv)).ended,
    sentinel: () =>
      existsSync(sentinelPath)
        ? v.parse(sentinelSchema, JSON.parse(readFileSync(sentinelPath, 'utf8')))
        : null,
  };
}
