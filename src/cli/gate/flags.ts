import { Failure } from '../../operations/failure.ts';
import { word } from '../frame/flags.ts';
import { ONE_SESSION } from '../frame/session-words.ts';

/** Which of several agents in one session is meant. */
export const PANE_FLAG = word('%PANE', 'The agent’s pane, where SESSION has several agents.');

const PANE = /^%\d+$/;

/** A pane is one of a session: alone it might be any server’s. */
export function requireSessionFor(pane: string | undefined, session: string | undefined): void {
  if (pane === undefined) return;
  if (!PANE.test(pane))
    throw new Failure('usage', `--pane=${pane} is no pane`, { hint: 'write it as tmux does: --pane %3' });
  if (session === undefined)
    throw new Failure('usage', '--pane needs a SESSION', { hint: 'or name the pane itself: %3, LABEL:%3' });
}

/** The word by which a contract is named; none means the agent around the command. */
export const CONTRACT_WORD = {
  ...ONE_SESSION,
  min: 0,
  help: 'Name, $id, %pane or key of a session, or the id of a contract. Without it, the session around this command.',
} as const;
