import { claudeAgent } from '../../../src/adapters/agents/claude/claude-agent.ts';
import { readScreen as readCodexScreen } from '../../../src/adapters/agents/codex/screen.ts';
import { DEFAULT_ITEMS } from '../../../src/adapters/agents/codex/settings.ts';
import { signOfTitle } from '../../../src/adapters/agents/codex/title.ts';
import { readGeminiScreen } from '../../../src/adapters/agents/gemini/screen.ts';
import { readTitle, titleSign } from '../../../src/adapters/agents/gemini/title.ts';
import { readScreen as readOpencodeScreen } from '../../../src/adapters/agents/opencode/screen.ts';
import { capturedScreen } from '../../../src/adapters/tmux/capture-screens.ts';
import type { AgentSign } from '../../../src/core/agent/sign.ts';
import { maskSecrets } from '../../../src/core/text/mask-secrets.ts';
import { visible } from '../../../src/core/text/visible.ts';
import type { AgentReading, CapturedScreen } from '../../../src/ports/agent.ts';
import { once, recorded, recordedIn } from '../corpus.ts';
import { type Target, target } from '../target.ts';

interface Cursor {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A screen as one input: where the cursor stands, how high the pane is, then the rows. */
function written({ x, y, width }: Cursor, rows: Buffer): Buffer {
  const height = rows.toString('latin1').split('\n').length;
  return Buffer.concat([Buffer.from(`${x} ${y} ${width} ${height}\n`), rows]);
}

/** The screen in an input, taken apart as tmux's answers are. */
function screenIn(input: Buffer): CapturedScreen {
  const end = input.indexOf('\n');
  const head = /^(\d{1,5}) (\d{1,5}) (\d{1,5}) (\d{1,5})$/.exec(
    input.toString('latin1', 0, Math.max(0, end)),
  );
  const [x = 0, y = 0, width = 80, height = 24] = head?.slice(1).map(Number) ?? [];
  const screen = capturedScreen(head === null ? input : input.subarray(end + 1), { x, y, width, height });
  const cursor = head === null ? null : screen.cursor;
  return { state: 'captured', paneId: '%1', observedAt: 1000, ...screen, cursor };
}

/** Tells nothing, or of another source that the turn is over: then a screen may complete the proof of rest. */
function readingOf(version: string, isOver: boolean): AgentReading {
  const sign: AgentSign = {
    ...{ source: 'title', observedAt: 1000, isLive: true, turn: 'over', isVerified: true, text: 'x' },
  };
  return { version, signs: isOver ? [sign] : [], gaps: [], failures: [] };
}

/** Whether a screen says that work goes on or that somebody is waited for. */
function isBusy(sign: AgentSign | null): boolean {
  return (
    sign !== null &&
    (sign.turn === 'running' || (sign.waitingFor ?? null) !== null || (sign.background ?? 0) > 0)
  );
}

/** What is left of a screen that showed work or a dialog may tell less than the whole, and no rest that the whole does not. */
function tooStrong(whole: AgentSign | null, left: AgentSign | null): string | null {
  if (!isBusy(whole)) return null;
  if (left?.turn === 'over' && whole?.turn !== 'over')
    return 'without its end, a screen of work says that the turn is over';
  if (left?.isReady && !whole?.isReady)
    return 'without its end, a screen of work says that the prompt is ready';
  return left?.background === 0 && whole?.background !== 0
    ? 'without its end, a screen says that nothing runs'
    : null;
}

type Read = (screen: CapturedScreen, reading: AgentReading) => AgentSign | null;

function screenTarget(
  agent: string,
  covers: readonly string[],
  version: string,
  read: Read,
  seeds: () => readonly Buffer[],
): Target {
  const all = (input: Buffer) => {
    const screen = screenIn(input);
    return [true, false].map((isOver) => read(screen, readingOf(version, isOver)));
  };
  return target({
    name: `${agent}-screen`,
    covers,
    seeds: once(seeds),
    words: [
      '\x1b[2m',
      '\x1b[7m',
      '\x1b[38;5;246m',
      '❯ ',
      '› ',
      '─'.repeat(80),
      '┃',
      '● 1. Yes',
      '(esc to cancel, 3s)',
    ],
    parse: all,
    objection: (_, signs) => signs.map(strangeness).find((found) => found !== null) ?? null,
    // Rows are missing at the bottom, where all of them draw their prompt.
    damaged({ sample, damage }, signs) {
      if (damage !== 'cut') return null;
      return (
        all(sample)
          .map((whole, at) => tooStrong(whole, signs[at] ?? null))
          .find((found) => found !== null) ?? null
      );
    },
    hard: {
      'one wide row of blanks': (bytes) =>
        Buffer.concat([Buffer.from('2 1 120 1\n'), Buffer.alloc(bytes, ' '), Buffer.from('x')]),
      'blanks above a box': (bytes) =>
        Buffer.concat([
          Buffer.from('2 2 120 5\n'),
          Buffer.alloc(Math.min(bytes, 500_000), ' '),
          Buffer.from(`x\n${'─'.repeat(80)}\n❯ \n${'─'.repeat(80)}\n  ? for shortcuts\n`),
        ]),
      'empty rows': (bytes) => Buffer.concat([Buffer.from('2 0 120 900\n› \n'), Buffer.alloc(bytes, '\n')]),
      'rows of a box': (bytes) =>
        Buffer.concat([
          Buffer.from('2 1 20 900\n'),
          Buffer.alloc(bytes, '│ x │\n'),
          Buffer.from(`╰${'─'.repeat(18)}╯`),
        ]),
      rules: (bytes) =>
        Buffer.concat([Buffer.from('2 1 80 900\n'), Buffer.alloc(bytes, `${'─'.repeat(80)}\n`)]),
    },
    growth: 120,
  });
}

const WAITS_ARE_TEXT = /^[a-z-]{1,30}$/;

function strangeness(sign: AgentSign | null): string | null {
  if (sign === null) return null;
  const { waitingFor = null, background = 0, text } = sign;
  if (waitingFor !== null && !WAITS_ARE_TEXT.test(waitingFor))
    return `waits for ${String(waitingFor).slice(0, 60)}`;
  if (!Number.isSafeInteger(background) || background < 0) return `counts ${background} in the background`;
  return text.length <= 1000 ? null : `says it in ${text.length} characters`;
}

const claude = claudeAgent();

function claudeScreens(): Buffer[] {
  const about = JSON.parse(recorded('fixtures/agents/claude/screens/screens.json').toString('utf8'));
  return recordedIn('fixtures/agents/claude/screens', '.ansi').map(({ name, bytes }) =>
    written(about[name].cursor, bytes),
  );
}

function codexScreens(): Buffer[] {
  return codexRecordings().map(({ cursor, styled }) => written(cursor, Buffer.from(styled.join('\n'))));
}

const codexRecordings = once(() =>
  recordedIn('fixtures/agents/codex/screens', '.json').map(
    ({ bytes }) => JSON.parse(bytes.toString('utf8')) as { title: string; cursor: Cursor; styled: string[] },
  ),
);

const geminiMeta = once(
  () =>
    JSON.parse(recorded('fixtures/agents/gemini/screens/screens.json').toString('utf8')) as Record<
      string,
      { readonly cursor: Cursor; readonly title: string }
    >,
);

function geminiScreens(): Buffer[] {
  return recordedIn('fixtures/agents/gemini/screens', '.txt').map(({ name, bytes }) =>
    written(geminiMeta()[name]?.cursor ?? { x: 0, y: 0, width: 80 }, bytes),
  );
}

function opencodeScreens(): Buffer[] {
  return recordedIn('fixtures/agents/opencode/screens', '.ansi').map(({ bytes }) => {
    const end = bytes.indexOf('\n');
    return written(JSON.parse(bytes.toString('utf8', 0, end)).cursor, bytes.subarray(end + 1));
  });
}

const BASE = { observedAt: 1000, isVerified: true };
const TITLES = { settings: { animations: 'on', items: DEFAULT_ITEMS }, folder: '/home/dev/codex' } as const;

export const SCREEN_TARGETS: readonly Target[] = [
  screenTarget(
    'claude',
    [
      'adapters/agents/claude/screen.ts#readScreen',
      'adapters/agents/claude/dialog.ts#dialogOn',
      'adapters/agents/claude/draft.ts#findInputBox',
    ],
    '2.1.325',
    (screen, reading) => claude.readScreen?.(screen, reading) ?? null,
    claudeScreens,
  ),
  screenTarget(
    'codex',
    ['adapters/agents/codex/screen.ts#readScreen', 'adapters/agents/codex/draft.ts#findComposer'],
    '0.166.0',
    (screen) => readCodexScreen(screen, true),
    codexScreens,
  ),
  screenTarget(
    'gemini',
    [
      'adapters/agents/gemini/screen.ts#readGeminiScreen',
      'adapters/agents/gemini/composer.ts#readDraft',
      'adapters/agents/gemini/dialog.ts#findDialog',
    ],
    '0.61.0',
    readGeminiScreen,
    geminiScreens,
  ),
  screenTarget(
    'opencode',
    ['adapters/agents/opencode/screen.ts#readScreen', 'adapters/agents/opencode/draft.ts#findInputBox'],
    '1.18.33',
    readOpencodeScreen,
    opencodeScreens,
  ),
  target({
    name: 'titles',
    covers: [
      'adapters/agents/gemini/title.ts#readTitle',
      'adapters/agents/codex/title.ts#signOfTitle',
      'core/text/visible.ts#visible',
      'core/text/mask-secrets.ts#maskSecrets',
    ],
    seeds: once(() =>
      [...codexRecordings(), ...Object.values(geminiMeta())].map(({ title }) => Buffer.from(title)),
    ),
    words: [
      '◇  Ready (',
      '✦  ',
      '[ ! ] Action Required | ',
      '⠋ ',
      ' | codex',
      'token=abc',
      '--password x',
      'sk-abcdef0123456789',
    ],
    parse(input) {
      const title = input.toString('utf8');
      return { title, ...signsOf(title), shown: visible(title, 1024), masked: maskSecrets(title) };
    },
    objection(_, { shown }) {
      if (shown.length > 1024) return `shows ${shown.length} characters`;
      if (visible(shown, 1024) !== shown) return 'shows it otherwise the second time';
      return /[\0-\x1f\x7f-\x9f\u202e]/.test(shown) ? 'shows a control character' : null;
    },
    damaged({ sample, damage }, { codex, gemini }) {
      const whole = signsOf(sample.toString('utf8'));
      if (damage !== 'cut') return null;
      if (whole.codex?.turn === 'running' && codex?.turn === 'over')
        return 'half a title of work says that the turn is over';
      return whole.gemini?.turn === 'running' && gemini?.turn === 'over'
        ? 'half a title of work says Ready'
        : null;
    },
  }),
];

function signsOf(title: string) {
  const word = readTitle(title);
  const seen = { now: 1000, isVerified: true, title, hasShell: false };
  return { codex: signOfTitle(title, TITLES, BASE), gemini: word && titleSign(word, seen) };
}
