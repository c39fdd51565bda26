import { namedFolders } from '../../core/doctor/session-life.ts';
import type {
  AnsweringServer,
  CareSightings,
  InstalledAgent,
  MachineSightings,
} from '../../core/doctor/sightings.ts';
import { once } from '../../core/once.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Conversations, CopiesSighting } from '../../ports/conversations.ts';
import type { DoctorSensor } from '../../ports/doctor.ts';
import type { HookConfig } from '../../ports/hook-config.ts';
import type { Locks } from '../../ports/lock.ts';
import type { PressureSensor } from '../../ports/pressure.ts';
import type { ReapModes } from '../../ports/reaper.ts';
import { memoryHolders } from '../pressure.ts';

/** What the session and machine checks are gathered with; src/compose/ supplies the real ones. */
export interface SightParts {
  readonly sensor: DoctorSensor;
  readonly hooks: Pick<HookConfig, 'inUse' | 'status'>;
  installed(): Promise<readonly InstalledAgent[]>;
  readonly pressure: PressureSensor;
  readonly locks: Pick<Locks, 'heldNow'>;
  readonly reapModes: Pick<ReapModes, 'read'>;
  programs(): MachineSightings['programs'];
  readonly conversations: Pick<Conversations, 'list'> & { readonly maxBytes: number };
  readonly orphanPattern: CareSightings['orphanPattern'];
  readonly staleHoldMs: number;
}

/** What the checks look at besides the roll, the processes and the ledger; asked after the look. */
export type MachineSight = (
  roll: Roll,
) => Promise<{ readonly machine: Omit<MachineSightings, 'ledger'>; readonly care: CareSightings }>;

/** Makes a sight that costs one tmux call for each server, whatever that holds, and one for each installed agent. */
export function createSight(parts: SightParts): MachineSight {
  const { sensor, hooks, orphanPattern, staleHoldMs } = parts;
  // Programs do not change their versions while the doctor looks again, and some take a second to tell.
  const installed = once(parts.installed);
  return async (roll) => {
    const servers = answering(roll);
    const answers = Promise.all([sensor.settings(servers), installed()]);
    // Read while tmux answers.
    const own = {
      login: sensor.login(servers),
      disk: sensor.disk(),
      stateFolder: sensor.stateFolder(),
      spool: sensor.spool(),
      daemon: sensor.daemon(),
      hooks: hooks.status(hooks.inUse()),
      readings: parts.pressure.sense(memoryHolders(roll)),
      locks: parts.locks.heldNow(),
      programs: parts.programs(),
      reaper: parts.reapModes.read(),
    };
    const copies = parts.conversations.list();
    const paths = copies.removed.map(({ path }) => path);
    const missing = await sensor.missingFolders([...namedFolders(roll, { orphanPattern }), ...paths]);
    const missingFolders = new Set([...missing].filter((path) => !paths.includes(path)));
    const [settings, agents] = await answers;
    return {
      machine: {
        ...{ ...own, settings, installed: agents },
        conversations: conversationsSeen(copies, parts.conversations.maxBytes, missing),
      },
      care: { missingFolders, orphanPattern, staleHoldMs },
    };
  };
}

// Gone for certain: the folder above is there. Claude Code leaves the folder of a project when it deletes transcripts.
function conversationsSeen(
  { count, bytes, removed }: CopiesSighting,
  maxBytes: number,
  missing: ReadonlySet<string>,
): MachineSightings['conversations'] {
  const lost = removed.flatMap(({ name, removedAt, clues, path }) => {
    const receipt = name.replace(/-\d+$/, '');
    return missing.has(path) ? [{ receipt, agent: clues.kind, removedAt, path }] : [];
  });
  return { count, bytes, maxBytes, lost };
}

function answering({ servers }: Roll): AnsweringServer[] {
  return servers.flatMap(({ socketPath, pid }) => (pid === undefined ? [] : [{ socketPath, pid }]));
}
