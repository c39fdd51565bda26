import { frontShell, type KnownPrompt, knownPrompt, promptDoubt } from '../../core/prompt/doubt.ts';
import { looksEmpty, textBeforeCursor } from '../../core/prompt/prompt.ts';
import { typedBehind } from '../../core/prompt/shape.ts';
import type { ScreenSighting } from '../../core/sight/sighting.ts';
import type { SessionLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import type { PaneLook } from './read-pane.ts';

/** What is known of the prompt at a pane's cursor. */
export interface PromptReading {
  readonly isPromptEmpty: boolean | null;
  readonly promptDoubt?: string;
  /** Proven for the first time: worth to be remembered. */
  readonly proven?: KnownPrompt;
}

type Captured = Extract<ScreenSighting, { state: 'captured' }>;

/** As much as tmux keeps by default: the command that started the agent is far above what the agent printed. */
const ROWS_ABOVE = 2000;

/**
 * Proves that an empty prompt is one. The screen only says where to look: the shell has to wait in its line editor, and the
 * text before the cursor has to be its prompt, by its own facts or because the agent was started behind the same text.
 */
export async function provePrompt(
  look: SessionLook,
  { sighting: { paneId }, processes }: PaneLook,
  { lines, cursor }: Captured,
  parts: Pick<Parts, 'tmux' | 'shells' | 'naming'>,
): Promise<PromptReading> {
  const isEmpty = cursor && looksEmpty(lines, cursor);
  if (!isEmpty) return { isPromptEmpty: isEmpty };
  const shell = frontShell(processes);
  if (shell === null) return unproven('no shell is alone at the terminal');
  const { prompt: known, agentSeen } = look.rememberedPanes[paneId] ?? {};
  const prompt = textBeforeCursor(lines, cursor);
  const doubt = promptDoubt({ prompt, shell, seen: await parts.shells.sense(shell), known });
  if (doubt === null) return { isPromptEmpty: true };
  if (doubt !== 'unfamiliar') return unproven(doubt.text);
  const isPrompt =
    agentSeen !== undefined && (await isStartedBehind(prompt, agentSeen, look, paneId, lines, parts));
  const text = `${shell.program} (pid ${shell.pid}) waits for input at a text that is not known to be its prompt`;
  return isPrompt ? { isPromptEmpty: true, proven: knownPrompt(prompt, shell) } : unproven(text);
}

/** Answers by screen: a pane that wrote nothing since has the same one, and its history is not read again. */
const answers = new WeakMap<readonly string[], boolean>();

/** Whether this agent was started by a command behind the same prompt, above what is shown. */
async function isStartedBehind(
  prompt: string,
  agent: string,
  { server }: SessionLook,
  paneId: string,
  lines: readonly string[],
  { tmux, naming }: Pick<Parts, 'tmux' | 'naming'>,
): Promise<boolean> {
  const known = answers.get(lines);
  if (known !== undefined) return known;
  const [above] = await tmux.capture(server.socketPath, [paneId], ROWS_ABOVE);
  if (above?.state !== 'captured' || above.cursor === null) return false;
  if (textBeforeCursor(above.lines, above.cursor) !== prompt) return false;
  const typed = typedBehind(prompt, above.lines.slice(0, above.cursor.y));
  const isStarted = typed.some((command) => naming.agentStarted(command) === agent);
  answers.set(lines, isStarted);
  return isStarted;
}

function unproven(promptDoubt: string): PromptReading {
  return { isPromptEmpty: null, promptDoubt };
}
