import type { Acted, PaneEnd, PaneTarget, SessionTarget, Stamped } from '../../../ports/actuator.ts';
import { actIf, type Reach } from './act-if.ts';
import { asActed, NOT_IDS } from './acted.ts';
import { endHookCommands, freeEndCommands, heldEndCommands, OTHERS_HOOK, RECORDS_END } from './end-hook.ts';
import { isPane, isSession, paneAddress, paneFacts, sessionAddress, sessionFacts } from './facts.ts';
import { SESSION_RUN } from './stamp.ts';
import { commandText } from './words.ts';

/** Reads the runs that a pane and its session are stamped with. */
export async function readRun(reach: Reach, pane: PaneTarget): Promise<Stamped> {
  const printed = await inPane(reach, pane, (target) => [
    ['display-message', '-p', '-t', target, `#{?${RECORDS_END},1,0} #{${SESSION_RUN}} #{@rollcall_run}`],
    ['show-options', '-p', '-q', '-v', '-t', target, 'remain-on-exit'],
    ['show-hooks', '-p', '-t', target],
  ]);
  if (printed.state === 'too-long') return { state: 'failed', text: 'tmux printed more than was asked' };
  if (printed.state !== 'done') return printed;
  const [, ends, sessionRun = '', run = '', remain = '', hooks = ''] =
    /^([01]) (\S*) (.*)\n(?:(\w+)\n)?([\s\S]*)$/.exec(printed.printed.toString('utf8')) ?? [];
  return {
    ...{ state: 'read', run: run || null, sessionRun: sessionRun || null },
    ...{ isEndPending: ends === '1', remain: remain || null, hasOwnHook: OTHERS_HOOK.test(hooks) },
  };
}

/** Takes the pane's own `remain-on-exit` back, so that the user's holds again; the hook that needs it does that itself. */
export async function letGo(reach: Reach, pane: PaneTarget): Promise<Acted> {
  return asActed(
    await inPane(reach, pane, (target) => [
      [
        ...['if-shell', '-F', '-t', target, `#{==:#{${RECORDS_END}},}`],
        commandText([['set-option', '-p', '-u', '-t', target, 'remain-on-exit']]),
      ],
    ]),
  );
}

/** Says what becomes of the pane when its program ends. */
export async function setEnd(reach: Reach, pane: PaneTarget, how: PaneEnd): Promise<Acted> {
  if (!isPane(pane)) return NOT_IDS;
  const target = paneAddress(pane);
  const { socketPath } = pane.session.server;
  const commands = endCommands(reach, target, socketPath, how);
  return asActed(await actIf(reach, { socketPath, target, facts: paneFacts(pane), commands }));
}

function endCommands({ ends }: Reach, target: string, socketPath: string, how: PaneEnd): string[][] {
  if (how === 'held') return heldEndCommands(target);
  if ('remain' in how) return freeEndCommands(target, how.remain);
  return ends === undefined
    ? heldEndCommands(target)
    : endHookCommands(target, { ...ends, ...how, socketPath });
}

/** Marks the session as held, or takes the mark off. */
export async function markHeld(reach: Reach, session: SessionTarget, since: number | null): Promise<Acted> {
  if (!isSession(session)) return NOT_IDS;
  const target = sessionAddress(session);
  const command =
    since === null
      ? ['set-option', '-u', '-t', target, HELD]
      : ['set-option', '-t', target, HELD, String(Math.floor(since / 1000))];
  const act = { target, facts: sessionFacts(session), commands: [command] };
  return asActed(await actIf(reach, { socketPath: session.server.socketPath, ...act }));
}

/** A user option: tmux itself makes nothing of it. */
const HELD = '@rollcall_held';

/** A child of its own that ends makes tmux ask for all that have. It may miss the end of that one as well, so nobody waits for it. */
export async function wakeServer(reach: Reach, session: SessionTarget): Promise<Acted> {
  if (!isSession(session)) return NOT_IDS;
  const act = {
    target: sessionAddress(session),
    facts: sessionFacts(session),
    commands: [['run-shell', '-b', 'true']],
  };
  return asActed(await actIf(reach, { socketPath: session.server.socketPath, ...act }));
}

async function inPane(reach: Reach, pane: PaneTarget, commands: (target: string) => string[][]) {
  if (!isPane(pane)) return NOT_IDS;
  const target = paneAddress(pane);
  const { socketPath } = pane.session.server;
  return actIf(reach, { socketPath, target, facts: paneFacts(pane), commands: commands(target) });
}
