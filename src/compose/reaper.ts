import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { allBudgets, noBudget } from '../adapters/reaper/all-budgets.ts';
import { budgetFolders, createBudgetFile } from '../adapters/reaper/budget-file.ts';
import { createModeFile, noModes } from '../adapters/reaper/mode-file.ts';
import type { ReapDesk } from '../cli/reap/desk.ts';
import type { Settings } from '../config/settings.ts';
import { CLOSE_TIMINGS } from '../engine/act/close/order.ts';
import type { Hands } from '../engine/act/hands.ts';
import type { Reaper } from '../engine/daemon/parts.ts';
import type { Look } from '../engine/look/look.ts';
import { createReaper } from '../engine/reaper/create-reaper.ts';
import type { ReaperParts } from '../engine/reaper/parts.ts';
import type { ReapBudgets, ReapModes } from '../ports/reaper.ts';
import { composeHands } from './hands.ts';
import { closerParts } from './ledger.ts';
import { composeLook, partsOf, type Scope } from './look/parts.ts';
import { ownStateFolder, ownUid } from './system/own-user.ts';

/** What a reaper shares with whoever runs it. */
export interface ReaperSurroundings
  extends Pick<Scope, 'sockets'>,
    Partial<Pick<ReaperParts, 'timings' | 'argv' | 'turn'>> {
  /** The look of the rounds: a closer look builds on what they saw. */
  readonly look: Look;
  /** Hands with a ledger of their own, which the reaper closes. */
  openHands(): Promise<Hands>;
  /** `daemon`, `cli`: who it is that records. */
  readonly actorKind?: string;
}

/** The reaper with the real mode, budget, screens and ledger. */
export function composeReaper(env: NodeJS.ProcessEnv, settings: Settings, given: ReaperSurroundings): Reaper {
  const { look, openHands, sockets, actorKind = 'daemon', timings = CLOSE_TIMINGS } = given;
  const host = createHostSensor({ now: Date.now });
  return createReaper({
    ...{ look, timings, argv: given.argv ?? ['rollcall', 'up'] },
    ...(given.turn && { turn: given.turn }),
    screens: partsOf({ env, settings, ...(sockets && { sockets }) }).tmux,
    modes: modesIn(env),
    budgets: budgetsOf(env, settings),
    policy: settings.reaper,
    now: () => host.now(),
    ...closerParts(env, actorKind, openHands),
  });
}

/** What `rollcall reap` works with. */
export function composeReapDesk(env: NodeJS.ProcessEnv, settings: Settings): ReapDesk {
  const host = createHostSensor({ now: Date.now });
  const look = composeLook({ env, settings });
  return {
    ...{ modes: modesIn(env), budgets: budgetsOf(env, settings), look },
    now: () => host.now(),
    reaper: (argv) =>
      composeReaper(env, settings, {
        ...{ look, argv, actorKind: 'cli' },
        openHands: () => composeHands(env, settings),
      }),
  };
}

function modesIn(env: NodeJS.ProcessEnv): ReapModes {
  const folder = ownStateFolder(env);
  return folder.state === 'refused' ? noModes(folder.text) : createModeFile(folder.path);
}

function budgetsOf(env: NodeJS.ProcessEnv, { reaper: { perHour, settleMs } }: Settings): ReapBudgets {
  const host = createHostSensor({ now: Date.now });
  const uid = ownUid();
  const state = ownStateFolder(env);
  if (state.state === 'refused') return noBudget(perHour, state.text);
  const [first, ...others] = budgetFolders(state.path, env, uid).map((folder) =>
    createBudgetFile({
      ...{ folder, uid, perHour, settleMs },
      host: () => host.identity(),
      now: () => host.now(),
    }),
  );
  return first === undefined ? noBudget(perHour, state.path) : allBudgets([first, ...others]);
}
