import type { Theatre } from '../cli/demo/theatre.ts';
import { withoutLeaked } from '../engine/act/caller-environment.ts';
import { composeLook, type Scope } from './look/parts.ts';
import { ownUid } from './system/own-user.ts';

/** The demo's theatre: stages of its own, each with a look that sees only that stage and remembers only there. */
export function composeTheatre({ env, settings }: Scope): Theatre {
  const uid = ownUid();
  // Nobody wants to wait a minute for a demo's leftovers to count as such.
  const policy = { ...settings.policy, exitedAfterMs: 1000, startingMs: 0 };
  return {
    async setUp(label) {
      const { setUpStage } = await import('../adapters/stage/demo-stage.ts');
      const setUp = await setUpStage({ env: withoutLeaked(env), uid, label });
      if (setUp.state === 'refused') return setUp;
      const { stage } = setUp;
      const scope = { env: { ...env, XDG_STATE_HOME: stage.folder }, settings: { ...settings, policy } };
      return {
        state: 'ready',
        stage,
        look: composeLook({ ...scope, sockets: [stage.socketPath], scriptedAgent: stage.agent }),
      };
    },
    async strike(label) {
      const { strikeStage } = await import('../adapters/stage/demo-stage.ts');
      return strikeStage({ env, uid, label });
    },
  };
}
