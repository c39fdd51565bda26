import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import type { AgentReading, CapturedScreen } from '../../../ports/agent.ts';
import { findComposer, type GeminiComposer, isVimNormal, readDraft } from './composer.ts';
import { findDialog, findDialogAbove } from './dialog.ts';
import { VERIFIED } from './version.ts';

const SPINNER = /^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \S/;
const TIMER = /\(esc to cancel, \d/;
// In the place of both, while a command gives no output.
const QUIET_COMMAND = /^ ! Shell awaiting input \(/;
const BUSY = [SPINNER, TIMER, QUIET_COMMAND];
const QUIET_STATUS = /^ *(?:\? for shortcuts|press tab twice for more)?$/;
// Not a turn, and the title says Ready all the while: compressing, exporting, connecting to servers.
const OWN_WORK = /^(?:[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \S| {0,2}Compressing chat history$)/;
const BACKGROUND = / (\d{1,3}) Background process(?:es)?\b/;
/** The list of background commands has the keyboard. */
const FOCUSED = /^│ .*\(Focused\) /;
// The status row, what it wraps into, and the row for short messages.
const STATUS_ROWS = 3;
const OWN_WORK_ROWS = 15;

/** Reads Gemini's screen; null when nothing on it is understood. */
export function readGeminiScreen(screen: CapturedScreen, reading: AgentReading): AgentSign | null {
  const isVerified = isWithin(reading.version, VERIFIED);
  const common = { source: 'screen', observedAt: screen.observedAt, isLive: true, isVerified } as const;
  const composer = findComposer(screen);
  if (composer) return { ...common, ...readComposer(screen, composer, reading) };
  const dialog = findDialog(screen);
  return dialog && { ...common, ...dialog, isReady: false };
}

type Told = Pick<AgentSign, 'turn' | 'waitingFor' | 'background' | 'hasDraft' | 'isReady' | 'text'>;

function readComposer(screen: CapturedScreen, composer: GeminiComposer, reading: AgentReading): Told {
  const { lines } = screen;
  const { endOfStatus, promptAt, mark, cursor } = composer;
  const status = lines.slice(Math.max(0, endOfStatus - STATUS_ROWS), endOfStatus);
  const isRunning = status.some((line) => BUSY.some((pattern) => pattern.test(line)));
  const left = leftRunning(lines, composer);
  const running = {
    ...(isRunning && { turn: 'running' as const }),
    ...(left.count > 0 && { background: left.count }),
  };
  const dialog = findDialogAbove(screen, endOfStatus);
  if (dialog) return { ...running, ...dialog, isReady: false };
  if (promptAt === null) return { ...running, isReady: false, text: 'no input box' };
  const hasDraft = readDraft(screen, composer);
  const draft = hasDraft === undefined ? {} : { hasDraft };
  const titled = reading.signs.find((sign) => sign.source === 'title');
  if ((titled?.waitingFor ?? null) !== null)
    return { ...running, ...draft, text: 'its input box beside a dialog' };
  const isQuiet = status.slice(-2).every((line) => QUIET_STATUS.test(line));
  const isAway = cursor === 'away' && titled?.turn === 'over' && !lines.some((line) => FOCUSED.test(line));
  const takesPrompt = (mark === '>' || mark === '*') && !isVimNormal(lines[promptAt] ?? '');
  return {
    ...running,
    ...(!isRunning && isQuiet && cursor === 'inside' && { turn: 'over' }),
    waitingFor: null,
    ...draft,
    isReady: takesPrompt && !isRunning && (cursor === 'inside' || isAway),
    text: isRunning ? 'it works' : (left.text ?? `its input box${hasDraft ? ' with unsent text' : ''}`),
  };
}

// Only commands that Gemini itself sent to the background are counted there: none shown does not mean none.
function leftRunning(lines: readonly string[], { endOfStatus, promptAt }: GeminiComposer) {
  const mode = lines.slice(endOfStatus + 1, promptAt ?? endOfStatus + STATUS_ROWS);
  const counted = Math.max(0, ...mode.map((row) => Number(BACKGROUND.exec(row)?.[1] ?? 0)));
  const above = lines.slice(Math.max(0, endOfStatus - OWN_WORK_ROWS), endOfStatus);
  if (above.some((line) => OWN_WORK.test(line))) {
    return { count: counted + 1, text: 'it works outside of a turn (compressing, connecting to servers)' };
  }
  return counted > 0 ? { count: counted, text: `${counted} in the background` } : { count: 0 };
}
