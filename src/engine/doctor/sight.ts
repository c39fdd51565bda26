import type { DoctorFacts } from '../../core/doctor/facts.ts';
import { namedFolders } from '../../core/doctor/named-folders.ts';
import type { AnsweringServer, CareSightings, LedgerSighting } from '../../core/doctor/sightings.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { once } from '../../core/once.ts';
import type { Roll } from '../../core/roll.ts';
import type { DoctorSensor } from '../../ports/doctor.ts';
import type { HookConfig } from '../../ports/hook-config.ts';
import type { FindInstalled } from '../../ports/installed-agents.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Locks } from '../../ports/lock.ts';
import type { PressureSensor } from '../../ports/pressure.ts';
import { memoryHolders } from '../memory-holders.ts';

/** What the session and machine checks are gathered with; src/compose/ supplies the real ones. */
export interface SightParts {
  readonly sensor: DoctorSensor;
  readonly hooks: Pick<HookConfig, 'inUse' | 'status'>;
  readonly installed: FindInstalled;
  readonly pressure: PressureSensor;
  readonly locks: Pick<Locks, 'sightings'>;
  openLedger(): Promise<Ledger>;
  readonly orphanPattern: CareSightings['orphanPattern'];
  readonly staleHoldMs: number;
}

/** What the checks look at besides the roll and the processes; asked after the look. */
export type Sight = (roll: Roll) => Promise<Pick<DoctorFacts, 'machine' | 'care'>>;

/** Makes a sight that costs one tmux call for each server, whatever that holds, and one for each installed agent. */
export function createSight(parts: SightParts): Sight {
  const { sensor, hooks, orphanPattern, staleHoldMs } = parts;
  // Programs do not change their versions while the doctor looks again, and some take a second to tell.
  const installed = once(parts.installed);
  return async (roll) => {
    const servers = answering(roll);
    const [settings, agents, ledger] = await Promise.all([
      sensor.settings(servers),
      installed(),
      verified(parts),
    ]);
    return {
      machine: {
        ...{ settings, installed: agents, ledger },
        login: sensor.login(servers),
        disk: sensor.disk(),
        stateFolder: sensor.stateFolder(),
        spool: sensor.spool(),
        daemon: sensor.daemon(),
        hooks: hooks.status(hooks.inUse()),
        readings: parts.pressure.sense(memoryHolders(roll)),
        locks: parts.locks.sightings(),
      },
      care: {
        missingFolders: sensor.missingFolders(namedFolders(roll, { orphanPattern })),
        ...{ orphanPattern, staleHoldMs },
      },
    };
  };
}

function answering({ servers }: Roll): AnsweringServer[] {
  return servers.flatMap(({ socketPath, pid }) => (pid === undefined ? [] : [{ socketPath, pid }]));
}

async function verified({ openLedger }: SightParts): Promise<LedgerSighting> {
  try {
    const ledger = await openLedger();
    try {
      const { path, isEmpty, head, damage, entries } = ledger.verify();
      return { state: 'checked', path, isEmpty, head, damage, lastAt: entries.at(-1)?.at ?? null };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (error instanceof LedgerError) return { state: 'failed', text: error.message, hint: error.hint };
    throw error;
  }
}
