import type {
  Acted,
  PaneEnd,
  PaneStamp,
  PaneTarget,
  SessionTarget,
  Stamped,
} from '../../../ports/actuator.ts';
import { actInPane, actInSession, asActed, type Reach } from './act-if.ts';
import {
  freeEndCommands,
  heldEndCommands,
  OTHERS_HOOK,
  RECORDS_END,
  recordAgainCommands,
} from './end-hook.ts';
import { commandText } from './words.ts';

/**
 * The word of the run on the session that it made. Another name than on the pane: tmux looks for what a pane does not have on
 * its session, and a pane that somebody adds bears no word.
 */
export const SESSION_RUN = '@rollcall_session';

export async function stampPane(reach: Reach, pane: PaneTarget, stamp: PaneStamp): Promise<Acted> {
  return asActed(await actInPane(reach, pane, (target) => stampCommands(target, stamp)));
}

/** What is null is taken off: an old task must not speak for a new one. */
export function stampCommands(target: string, { run, owner, role, task }: PaneStamp): string[][] {
  return Object.entries({ run, owner, role, task }).map(([name, value]) =>
    value === null
      ? ['set-option', '-p', '-u', '-t', target, `@rollcall_${name}`]
      : ['set-option', '-p', '-t', target, `@rollcall_${name}`, value],
  );
}

export async function readRun(reach: Reach, pane: PaneTarget): Promise<Stamped> {
  const printed = await actInPane(reach, pane, (target) => [
    ['display-message', '-p', '-t', target, `#{?${RECORDS_END},1,0} #{${SESSION_RUN}} #{@rollcall_run}`],
    ['show-options', '-w', '-A', '-v', '-t', target, 'remain-on-exit'],
    ['show-options', '-p', '-q', '-v', '-t', target, 'remain-on-exit'],
    ['show-hooks', '-p', '-t', target],
  ]);
  if (printed.state !== 'done') return printed;
  const told = /^([01]) (\S*) (.*)\n(\w+)\n(?:(\w+)\n)?([\s\S]*)$/.exec(printed.printed.toString('utf8'));
  if (told === null) return { state: 'failed', text: 'tmux did not tell what marks the pane bears' };
  const [, ends, sessionRun = '', run = '', inherited = '', remain = '', hooks = ''] = told;
  return {
    ...{ state: 'read', run: run || null, sessionRun: sessionRun || null },
    ...{ isEndPending: ends === '1', remain: remain || null, inherited, hasOwnHook: OTHERS_HOOK.test(hooks) },
  };
}

/** Takes the pane's own `remain-on-exit` back, so that the user's holds again; the hook that needs it does that itself. */
export async function letGo(reach: Reach, pane: PaneTarget): Promise<Acted> {
  return asActed(
    await actInPane(reach, pane, (target) => [
      [
        ...['if-shell', '-F', '-t', target, `#{==:#{${RECORDS_END}},}`],
        commandText([['set-option', '-p', '-u', '-t', target, 'remain-on-exit']]),
      ],
    ]),
  );
}

export async function setEnd(reach: Reach, pane: PaneTarget, how: PaneEnd): Promise<Acted> {
  const { socketPath } = pane.session.server;
  if (how === 'held') return act(reach, pane, heldEndCommands);
  if ('remain' in how) return freeEnd(reach, pane, how.remain);
  const { ends } = reach;
  if (ends === undefined) return act(reach, pane, heldEndCommands);
  return act(reach, pane, (target) => recordAgainCommands(target, { ...ends, ...how, socketPath }));
}

async function freeEnd(reach: Reach, pane: PaneTarget, remain: string | null): Promise<Acted> {
  const hooks = await actInPane(reach, pane, (target) => [['show-hooks', '-p', '-t', target]]);
  if (hooks.state !== 'done') return hooks;
  const hasOthers = OTHERS_HOOK.test(hooks.printed.toString('utf8'));
  return act(reach, pane, (target) => freeEndCommands(target, remain, hasOthers));
}

async function act(reach: Reach, pane: PaneTarget, commands: (target: string) => string[][]): Promise<Acted> {
  return asActed(await actInPane(reach, pane, commands));
}

export async function markHeld(reach: Reach, session: SessionTarget, since: number | null): Promise<Acted> {
  const command = (target: string) =>
    since === null
      ? ['set-option', '-u', '-t', target, HELD]
      : ['set-option', '-t', target, HELD, String(Math.floor(since / 1000))];
  return asActed(await actInSession(reach, session, (target) => [command(target)]));
}

/** A user option: tmux itself makes nothing of it. */
const HELD = '@rollcall_held';

/** A child of its own that ends makes tmux ask for all that have. It may miss the end of that one as well, so nobody waits for it. */
export async function wakeServer(reach: Reach, session: SessionTarget): Promise<Acted> {
  return asActed(await actInSession(reach, session, () => [['run-shell', '-b', 'true']]));
}
