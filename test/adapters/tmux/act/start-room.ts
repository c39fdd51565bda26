import { beforeEach } from 'vitest';
import type { SessionWish, StartedSession, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { openRoom } from '../room.ts';
import { actuatorFor } from './act-room.ts';

export const STAMP = { run: 'a1b2c3d4e5f6', owner: 'somebody', role: 'worker', task: 'T-1' };

/** What every test of a start needs: a server that does not run yet, and a wish. */
export interface StartRoom {
  readonly tmux: PrivateTmux;
  readonly actuator: TmuxActuator;
  /** An actuator of a user with these variables, from now on. */
  withEnv(env: NodeJS.ProcessEnv): void;
  wish(changes?: Partial<SessionWish>): SessionWish;
  started(changes?: Partial<SessionWish>): Promise<Extract<StartedSession, { state: 'started' }>>;
  ask(target: string, format: string): Promise<string>;
  /** The whole stamp of a pane, in one line. */
  stampOf(paneId: string): Promise<string>;
}

export function openStartRoom(): StartRoom {
  const room = openRoom();
  let tmux: PrivateTmux;
  let actuator: TmuxActuator;
  beforeEach(() => {
    tmux = room.newServer();
    actuator = actuatorFor(tmux);
  });
  const wish = (changes: Partial<SessionWish> = {}): SessionWish => ({
    name: 'worker',
    cwd: tmux.folder,
    argv: ['sleep', '1000'],
    env: {},
    withoutEnv: [],
    stamp: STAMP,
    remain: false,
    ...changes,
  });
  const ask = (target: string, format: string) => tmux.tmux('display-message', '-p', '-t', target, format);
  return {
    get tmux() {
      return tmux;
    },
    get actuator() {
      return actuator;
    },
    withEnv(env) {
      actuator = actuatorFor(tmux, env);
    },
    wish,
    async started(changes) {
      const answer = await actuator.startSession(tmux.socketPath, wish(changes));
      if (answer.state !== 'started') throw new Error(`${answer.state}: ${answer.text}`);
      return answer;
    },
    ask,
    stampOf: (paneId) =>
      ask(paneId, '#{@rollcall_run}|#{@rollcall_owner}|#{@rollcall_role}|#{@rollcall_task}'),
  };
}
