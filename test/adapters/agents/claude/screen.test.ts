import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../../src/adapters/agents/claude/claude-agent.ts';
import type { AgentSign } from '../../../../src/core/agent/sign.ts';
import type { AgentReading, CapturedScreen } from '../../../../src/ports/agent.ts';
import { cpuSeconds } from '../../../support/cpu-seconds.ts';
import { recordedScreen, recordedScreens, screenOf } from './fixtures.ts';

const READING: AgentReading = { version: '2.1.325', signs: [], gaps: [], failures: [] };

function factsOf(screen: CapturedScreen, reading: AgentReading = READING) {
  const sign = claudeAgent().readScreen?.(screen, reading);
  if (!sign) return sign;
  const { source, observedAt, isLive, isVerified, text, ...facts } = sign;
  expect({ source, observedAt, isLive, isVerified }).toEqual({
    source: 'screen',
    observedAt: 1000,
    isLive: true,
    isVerified: true,
  });
  return facts;
}

const READY = { turn: 'over', waitingFor: null, hasDraft: false, isReady: true };
const DRAFT = { ...READY, hasDraft: true };
const BUSY = { turn: 'running', waitingFor: null, hasDraft: false };
const ERROR = { ...READY, waitingFor: 'error' };
const SHELL = { ...READY, background: 1 };
const asks = (waitingFor: string) => ({ waitingFor });

/** Every recorded screen, by the beginning of its name. */
const EXPECTED: Readonly<Record<string, object | null>> = {
  'after-agent': READY,
  'after-background': SHELL,
  'after-bash-mode': READY,
  'after-clear': READY,
  'after-onboarding': READY,
  'api-key': asks('login'),
  'auth-failed': BUSY,
  'auto-mode-check': asks('input'),
  'background-agent': { ...BUSY, background: 1 },
  'background-dialog': asks('input'),
  'background-footer-selected': { turn: 'over', waitingFor: null, hasDraft: false, background: 1 },
  'background-monitor': SHELL,
  'background-shell': SHELL,
  'bash-mode': { waitingFor: null, hasDraft: true },
  'bash-mode-done': READY,
  'bash-mode-draft': { waitingFor: null, hasDraft: true },
  'bash-mode-running': BUSY,
  'child-session': READY,
  compacted: READY,
  'compacting-0': BUSY,
  'ctrl-c-hint': READY,
  'dialog-agents': READY,
  'dialog-config': asks('input'),
  'dialog-effort': asks('input'),
  'dialog-export': asks('input'),
  'dialog-help': asks('input'),
  'dialog-hooks': asks('input'),
  'dialog-login': asks('login'),
  'dialog-mcp': READY,
  'dialog-memory': asks('input'),
  'dialog-model': asks('input'),
  'dialog-permissions': asks('input'),
  'dialog-resume': asks('input'),
  'dialog-rewind': asks('input'),
  'dialog-status': asks('input'),
  'dialog-tasks': asks('input'),
  'dialog-theme': asks('input'),
  'dialog-usage': asks('input'),
  'draft-home': DRAFT,
  'draft-multiline': DRAFT,
  'draft-multiline-home': DRAFT,
  'draft-pasted': DRAFT,
  'draft-spaces': DRAFT,
  'draft-stashed': DRAFT,
  'draft-typed': DRAFT,
  'error-overloaded': ERROR,
  'exit-with-background': asks('input'),
  'file-menu': DRAFT,
  'history-search': asks('input'),
  interrupted: READY,
  'light-done': READY,
  'light-theme': READY,
  'light-working': BUSY,
  limit: BUSY,
  'named-vim-insert': READY,
  'named-vim-normal': READY,
  'permission-bash': asks('permission'),
  'permission-edit': asks('permission'),
  'plan-approval': asks('plan'),
  'plan-empty': asks('plan'),
  question: asks('question'),
  'quoted-dialog': READY,
  'quoted-error': READY,
  'ready-again': READY,
  'ready-done': READY,
  'ready-fresh': READY,
  resumed: READY,
  'retry-500': ERROR,
  'retry-escaped': ERROR,
  'retry-rate': BUSY,
  'rewind-menu': asks('input'),
  shortcuts: READY,
  'slash-menu': DRAFT,
  'subagent-denied': READY,
  'subagent-permission': asks('permission'),
  'transcript-view': null,
  'truecolor-ready': READY,
  'truecolor-working': BUSY,
  trust: asks('trust'),
  'working-draft': { ...BUSY, hasDraft: true },
  'working-silent': BUSY,
  'working-stream': BUSY,
  'working-tool': BUSY,
};

describe('S13, S14, S15, S16, S17, S28: every recorded screen, 120, 60 and 40 columns wide', () => {
  it.each(Object.keys(recordedScreens))('%s', (name) => {
    const state = name.slice(0, name.lastIndexOf('.'));
    expect(EXPECTED).toHaveProperty([state]);
    expect(factsOf(recordedScreen(name))).toEqual(EXPECTED[state]);
  });

  it('no screen contradicts what the status file said at the same moment', () => {
    for (const [name, { own }] of Object.entries(recordedScreens)) {
      const sign = factsOf(recordedScreen(name)) as Partial<AgentSign> | null;
      if (own === 'busy') expect([name, sign?.turn]).toEqual([name, 'running']);
      if (own === 'idle' || own === 'shell') expect([name, sign?.turn]).not.toEqual([name, 'running']);
      if (own?.startsWith('waiting')) expect([name, sign?.waitingFor ?? null]).not.toEqual([name, null]);
      if (own === 'shell') expect([name, sign?.isReady && !sign.background]).not.toEqual([name, true]);
    }
  });

  it('every state stands in the table for a reason', () => {
    const states = new Set(Object.keys(recordedScreens).map((name) => name.slice(0, name.lastIndexOf('.'))));
    expect(Object.keys(EXPECTED).filter((state) => !states.has(state))).toEqual([]);
  });
});

const GREY = '\x1b[38;5;246m';
const RULE = `\x1b[38;5;244m${'─'.repeat(120)}`;
const box = (input: string, above: readonly string[] = [], footer = `  ${GREY}? for shortcuts`) =>
  screenOf([...above, RULE, `\x1b[39m${input}`, RULE, `\x1b[39m${footer}`], {
    x: 2,
    y: above.length + 1,
    width: 120,
  });

describe('a draft', () => {
  it('is not the suggestion that stands in an empty box, its first letter under the cursor', () => {
    expect(factsOf(box(`❯ \x1b[7mT\x1b[0m${GREY}ry "fix the parser"`))).toEqual(READY);
    expect(factsOf(box('❯ \x1b[7mT\x1b[0m\x1b[2mry "fix the parser"\x1b[0m'))).toEqual(READY);
  });

  it('S16: is a single letter under the cursor, and text before a grey completion', () => {
    expect(factsOf(box('❯ \x1b[7mT\x1b[0m'))).toEqual(DRAFT);
    expect(factsOf(box(`❯ /co\x1b[7mn\x1b[0m${GREY}fig`))).toEqual(DRAFT);
    expect(factsOf(box(`❯ \x1b[7m \x1b[0m\x1b[38;5;153m/exit`))).toEqual(DRAFT);
  });
});

describe('S28: what the conversation quotes does not count', () => {
  it('an error in prose is drawn plain', () => {
    const above = [
      '\x1b[38;5;231m●\x1b[39m API Error: 500',
      `${GREY}✻\x1b[39m ${GREY}Baked for 1s · done 7:35 AM`,
    ];
    expect(factsOf(box('❯ ', above))).toEqual(READY);
    const drawn = ['\x1b[38;5;220m●\x1b[39m \x1b[38;5;220mAPI Error: 500', `${GREY}✻ Baked for 1s`];
    expect(factsOf(box('❯ ', drawn))).toEqual(ERROR);
  });

  it('a box without a rule below, a rule in prose, a prompt that is only echoed', () => {
    expect(factsOf(screenOf(['  ──────────', '  ❯ ', '  ──────────', '  ? for shortcuts']))).toBeNull();
    expect(factsOf(screenOf(['❯ DONE', '', '● Done.']))).toBeNull();
    expect(factsOf(screenOf([RULE, '❯ ', RULE, 'text at the edge']))).toBeNull();
    expect(factsOf(screenOf([RULE, '❯ 1. Yes', '   2. No']))).not.toMatchObject({ isReady: true });
  });

  it('a dialog above the box', () => {
    const above = [
      RULE,
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      '',
      ' Esc to cancel · Tab to amend',
      '',
    ];
    expect(factsOf(box('❯ ', above))).toEqual(READY);
  });
});

describe('S13: a turn shows even where its footer does not', () => {
  it.each([
    ['a dim mark', box(`${GREY}❯ `)],
    ['a spinner above', box('❯ ', ['✢ Pondering… (3s)', '', '  ⎿  Tip: something'])],
    ['a long list of tasks below the spinner', box('❯ ', ['· Building…', ...Array(30).fill('  ☐ a task')])],
    ['a clipped footer', box('❯ ', [], `  ${GREY}⏸ manual mode on · esc to int…`)],
    ['a retry', box('❯ ', ['✻ API error · Retrying in 3s · attempt 1/10'])],
  ])('%s', (_, screen) => expect(factsOf(screen)).toMatchObject({ turn: 'running' }));

  it('without colours the mark proves nothing', () => {
    const plain = '─'.repeat(120);
    const facts = factsOf(screenOf([plain, '❯ ', plain, '  ? for shortcuts']));
    expect(facts).toEqual({ waitingFor: null, hasDraft: false, isReady: true });
  });

  it('a mark in a colour that is not known proves nothing', () => {
    expect(factsOf(box('\x1b[38;5;99m❯ '))).not.toHaveProperty('turn');
  });
});

describe('a ready prompt takes what is typed', () => {
  it('not where the cursor is elsewhere, or not known', () => {
    const { styled } = box('❯ ');
    expect(factsOf(screenOf(styled, { x: 0, y: 3, width: 120 }))).not.toHaveProperty('isReady');
    expect(factsOf(screenOf(styled, null))).not.toHaveProperty('isReady');
  });

  it('not as a command for a shell', () => {
    expect(factsOf(box('! '))).toEqual({ waitingFor: null, hasDraft: true });
  });

  it('S17: not as rest after an error that other sources tell of', () => {
    const sign: AgentSign = {
      source: 'hook',
      observedAt: 1,
      isLive: false,
      turn: 'over',
      waitingFor: 'limit',
      isVerified: true,
      text: '',
    };
    expect(factsOf(box('❯ '), { ...READING, signs: [sign] })).not.toHaveProperty('waitingFor');
  });
});

it('a view that the status does not call a dialog is none', () => {
  const sign: AgentSign = {
    source: 'agent',
    observedAt: 1,
    isLive: true,
    turn: 'over',
    waitingFor: null,
    isVerified: true,
    text: '',
  };
  expect(factsOf(recordedScreen('history-search.120'), { ...READING, signs: [sign] })).toBeNull();
  expect(factsOf(recordedScreen('permission-bash.120'), { ...READING, signs: [sign] })).toEqual(
    asks('permission'),
  );
});

it('a version that was never tried is marked', () => {
  const sign = claudeAgent().readScreen?.(box('❯ '), { ...READING, version: '2.1.400' });
  expect(sign).toMatchObject({ isVerified: false });
});

it('S54: what it quotes from the screen is made visible', () => {
  const sign = claudeAgent().readScreen?.(box('❯ ', ['✢ Pond\u202eering\u0007…']), READING);
  expect(sign?.text).toBe('shows its work: ✢ Pond\\u{202e}ering\\u{7}…');
});

it.each([
  ['nothing', []],
  ['blank rows', ['', '', '']],
  ['rules only', [RULE, RULE]],
  ['a shell', ['$ claude', 'bash: claude: command not found', '$ ']],
])('S33: %s is not understood', (_, rows) => expect(factsOf(screenOf(rows))).toBeNull());

it('S57: a screen that would make a pattern explode is read in no time', () => {
  const rows = Array(2000).fill('─'.repeat(300) + ' '.repeat(300) + 'Do you want to '.repeat(20));
  const screen = screenOf([...rows, RULE, ' ❯ 1. Yes', ' Esc to cancel']);
  expect(cpuSeconds(() => claudeAgent().readScreen?.(screen, READING))).toBeLessThan(5);
});
