import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from '../../src/compose/look/parts.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import type { Roll, SessionEntry } from '../../src/core/sight/roll.ts';
import type { Policy } from '../../src/core/verdict/policy.ts';
import { createLook } from '../../src/engine/look/create-look.ts';
import type { LookOptions } from '../../src/engine/look/look.ts';
import type { Parts } from '../../src/engine/look/parts.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { scriptedProgramIn } from './scripted-agent.ts';

export interface RealLook {
  /** Takes the roll. */
  roll(options?: LookOptions): Promise<Roll>;
  /** Takes the roll and gives the one session of that name. */
  session(name: string, options?: LookOptions): Promise<SessionEntry>;
  /** The same state folder, as another process would find it. */
  anew(changes?: Partial<Parts>): RealLook;
}

/**
 * Real sensors on the servers of a test and on nothing else, with a state folder of their own. Times are short so that
 * a test can wait for them; `changes` replaces single parts.
 */
export function realLook(
  servers: readonly PrivateTmux[],
  policy: Partial<Policy> = {},
  changes: Partial<Parts> = {},
  state = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'state-')),
): RealLook {
  const defaults = toSettings(defaultValues());
  const env = { ...process.env, XDG_STATE_HOME: state, TMUX: undefined, TMUX_PANE: undefined };
  const [server] = servers;
  const parts = partsOf({
    env,
    settings: { ...defaults, policy: { ...defaults.policy, exitedAfterMs: 1, startingMs: 0, ...policy } },
    ...(server && { scriptedAgent: scriptedProgramIn(server.folder) }),
    sockets: servers.map((server) => server.socketPath),
  });
  const look = createLook(
    { ...parts, ...changes },
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );
  return {
    roll: look,
    async session(name, options) {
      const roll = await look(options);
      const found = roll.sessions.filter((session) => session.name === name);
      if (found.length !== 1 || !found[0]) {
        throw new Error(
          `${found.length} sessions named ${name}: ${roll.sessions.map((one) => one.name).join(', ')}`,
        );
      }
      return found[0];
    },
    anew: (more = {}) => realLook(servers, policy, { ...changes, ...more }, state),
  };
}
