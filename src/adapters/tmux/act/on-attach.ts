import type { Acted, PaneTarget } from '../../../ports/actuator.ts';
import { actInPane, asActed, type Reach } from './act-if.ts';
import { paneAddress, sessionAddress } from './facts.ts';
import { commandText } from './words.ts';

/** A client comes to the session: it attaches, or it switches from another one. */
const HOOKS = ['client-attached', 'client-session-changed'];
/** The place of our own in each list. */
const OWN = 900;

/**
 * Sets hooks of the session that press Enter in a pane, once, or takes them off. tmux compares the pane's process when it
 * presses: whatever else runs there by then gets no key.
 */
export async function enterOnAttach(reach: Reach, pane: PaneTarget, isOn: boolean): Promise<Acted> {
  const session = sessionAddress(pane.session);
  const listed = await actInPane(reach, pane, () => [['show-hooks', '-t', session]]);
  if (listed.state !== 'done') return asActed(listed);
  const set = listed.printed.toString('utf8').split('\n');
  const commands = HOOKS.flatMap((hook) => {
    const own = set.filter((line) => line.startsWith(`${hook}[`));
    const isOurs = own.some((line) => line.startsWith(`${hook}[${OWN}]`));
    const off = offCommands(hook, session, own.length > Number(isOurs));
    if (isOn) return [['set-hook', '-t', session, `${hook}[${OWN}]`, pressing(pane, off)]];
    return isOurs ? off.slice(0, 1) : [];
  });
  return commands.length === 0 ? { state: 'done' } : asActed(await actInPane(reach, pane, () => commands));
}

/**
 * Takes ours off. A list of the session hides that of the server: where nobody else has one for this session, the whole list
 * goes, and the user's own hooks are run, which ours has hidden.
 */
function offCommands(hook: string, session: string, isShared: boolean): string[][] {
  if (isShared) return [['set-hook', '-u', '-t', session, `${hook}[${OWN}]`]];
  return [
    ['set-hook', '-u', '-t', session, hook],
    ['set-hook', '-R', '-t', session, hook],
  ];
}

function pressing(pane: PaneTarget, off: readonly (readonly string[])[]): string {
  const target = paneAddress(pane);
  // With panes in step the key would reach all of them.
  const isThere = `#{==:#{pane_dead} #{pane_synchronized} #{pane_pid},0 0 ${pane.pid}}`;
  const enter = commandText([['send-keys', '-t', target, 'Enter']]);
  return commandText([...off, ['if-shell', '-F', '-t', target, isThere, enter]]);
}
