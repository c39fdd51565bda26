import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../../../src/adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from '../../../src/adapters/agents/gemini/gemini-agent.ts';
import { opencodeAgent } from '../../../src/adapters/agents/opencode/opencode-agent.ts';
import { scriptedAgent } from '../../../src/adapters/agents/scripted/scripted-agent.ts';
import type { AgentAdapter } from '../../../src/ports/agent.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const OTHER = '99999999-2222-4333-8444-555555555555';
const PROMPT = 'the first prompt that it was started with is not sent again';
const once = (name: string) => `${name} is left out: it was for the first start only`;
const unknown = (name: string) => `${name} is left out: what it does is not known here`;

function resumed(adapter: AgentAdapter, argv: readonly string[], cwd?: string) {
  const made = adapter.resume?.(ID, { argv, ...(cwd !== undefined && { cwd }) });
  return [made?.argv, made?.dropped];
}

describe('Claude Code goes on', () => {
  const claude = claudeAgent();

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'with its program by its path, its mode and its model',
      ['/opt/claude', '--permission-mode', 'acceptEdits', '--model', 'sonnet'],
      ['/opt/claude', '--resume', ID, '--permission-mode', 'acceptEdits', '--model', 'sonnet'],
      [],
    ],
    [
      'behind its interpreter',
      ['node', '/x/node_modules/@anthropic-ai/claude-code/cli.js', '--verbose'],
      ['node', '/x/node_modules/@anthropic-ai/claude-code/cli.js', '--resume', ID, '--verbose'],
      [],
    ],
    [
      'without what chose another conversation',
      [
        'claude',
        '--session-id',
        OTHER,
        '-c',
        '--resume',
        OTHER,
        '-r',
        '--fork-session',
        '--resume=x',
        '--ide',
      ],
      ['claude', '--resume', ID, '--ide'],
      [],
    ],
    [
      'without what chose another one in any other form',
      ['claude', `-r${OTHER}`, '-cr', OTHER, `-cr${OTHER}`, `--session-id=${OTHER}`, '--from-pr=7', '--ide'],
      ['claude', '--resume', ID, '--ide'],
      [],
    ],
    [
      'without its first prompt',
      ['claude', '--model=opus', 'fix it'],
      ['claude', '--resume', ID, '--model=opus'],
      [PROMPT],
    ],
    ['without what stands behind --', ['claude', '--', '--model', 'x'], ['claude', '--resume', ID], [PROMPT]],
    [
      'with lists up to the next option; a word in one is no prompt',
      ['claude', '--add-dir', '/a', '/b', '--mcp-config', 'm.json', '-d', 'hooks', 'do it'],
      ['claude', '--resume', ID, '--add-dir', '/a', '/b', '--mcp-config', 'm.json', '-d', 'hooks'],
      [PROMPT],
    ],
    [
      'without a new worktree, and without what nobody knows',
      ['claude', '--worktree', 'topic', '--tmux', '--unheard=secret', '-z', 'word', '--new'],
      ['claude', '--resume', ID],
      [
        ...[once('--worktree'), once('--tmux'), unknown('--unheard')],
        '-z and the word behind it are left out: what it does is not known here',
        unknown('--new'),
      ],
    ],
    [
      'with letters that stand together',
      ['claude', '-cn', 'name', '-dhooks', '-nname'],
      ['claude', '--resume', ID, '-n', 'name', '-dhooks', '-nname'],
      [],
    ],
    [
      'with an option whose word is missing',
      ['claude', '--model'],
      ['claude', '--resume', ID, '--model'],
      [],
    ],
  ])('%s', (_, argv, again, dropped) => {
    expect(resumed(claude, argv)).toEqual([again, dropped]);
  });

  it('by its name where nobody knows how it was started, and anew where its conversation is not known', () => {
    expect(claude.resume?.(ID)).toEqual({ argv: ['claude', '--resume', ID], dropped: [] });
    expect(claude.resume?.(ID, { argv: ['vim'] })?.argv).toEqual(['claude', '--resume', ID]);
    const argv = ['/opt/claude', '--session-id', OTHER, '--model', 'x', 'fix it'];
    expect(claude.resume?.(null, { argv })).toEqual({
      argv: ['/opt/claude', '--model', 'x'],
      dropped: [PROMPT],
    });
  });
});

describe('Codex goes on', () => {
  const codex = codexAgent();

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'with its options',
      [
        '/opt/codex',
        '--no-daemon',
        '-m',
        'o3',
        '-c',
        'a="b c"',
        '-cx=1',
        '--sandbox=read-only',
        '-C',
        '/p',
        'fix it',
      ],
      [
        '/opt/codex',
        'resume',
        ID,
        '--no-daemon',
        '-m',
        'o3',
        '-c',
        'a="b c"',
        '-cx=1',
        '--sandbox=read-only',
        '-C',
        '/p',
      ],
      [PROMPT],
    ],
    ['once more', ['codex', 'resume', OTHER, '--search'], ['codex', 'resume', ID, '--search'], []],
    [
      'once more, without a prompt',
      ['codex', 'resume', '--last', 'go on'],
      ['codex', 'resume', ID],
      [PROMPT],
    ],
    [
      'without its pictures',
      ['codex', '-i', 'a.png', 'b.png', '--oss'],
      ['codex', 'resume', ID, '--oss'],
      [once('-i')],
    ],
    [
      'without a new worktree',
      ['codex', '--worktree', 'fix'],
      ['codex', 'resume', ID],
      [once('--worktree'), PROMPT],
    ],
  ])('%s', (_, argv, again, dropped) => {
    expect(resumed(codex, argv)).toEqual([again, dropped]);
  });
});

describe('Gemini CLI goes on', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'with its options',
      [
        'node',
        '/x/bin/gemini',
        '-m',
        'pro',
        '-y',
        '--sandbox',
        'false',
        '--approval-mode=plan',
        '-sy',
        '-s=true',
      ],
      [
        'node',
        '/x/bin/gemini',
        '--resume',
        ID,
        '-m',
        'pro',
        '-y',
        '--sandbox',
        'false',
        '--approval-mode=plan',
        '-s',
        '-y',
        '-s=true',
      ],
      [],
    ],
    ['without its prompts', ['gemini', '-i', 'fix it', '-r', 'latest'], ['gemini', '--resume', ID], [PROMPT]],
    [
      'without another one',
      ['gemini', '-yr', OTHER, '-r5', `-r=${OTHER}`],
      ['gemini', '--resume', ID, '-y'],
      [],
    ],
    ['without its words', ['gemini', '--yolo', 'fix', 'it'], ['gemini', '--resume', ID, '--yolo'], [PROMPT]],
    [
      'without a new worktree',
      ['gemini', '-w', '--debug'],
      ['gemini', '--resume', ID, '--debug'],
      [once('-w')],
    ],
  ])('%s', (_, argv, again, dropped) => {
    expect(resumed(geminiAgent(), argv)).toEqual([again, dropped]);
  });
});

describe('opencode goes on', () => {
  const opencode = opencodeAgent();

  it('with its options, in the folder that it was given', () => {
    const argv = [
      '/opt/opencode',
      'project',
      '--port',
      '4096',
      '-m',
      'a/b',
      '--prompt',
      'fix it',
      '-c',
      '--fork',
    ];
    const again = ['-s', ID, '--port', '4096', '-m', 'a/b'];
    expect(resumed(opencode, argv, '/start')).toEqual([
      ['/opt/opencode', '/start/project', ...again],
      [PROMPT],
    ]);
    // It is in that folder by now.
    expect(resumed(opencode, argv)).toEqual([['/opt/opencode', ...again], [PROMPT]]);
    expect(resumed(opencode, ['opencode', '-s', 'ses_1'])).toEqual([['opencode', '-s', ID], []]);
    expect(resumed(opencode, ['opencode', '-cs', 'ses_1', '-s=ses_1'])).toEqual([['opencode', '-s', ID], []]);
  });
});

it('the scripted agent goes on with its own command line', () => {
  const scripted = scriptedAgent('/x/agent');
  expect(scripted.resume?.(ID, { argv: ['/x/agent', 'a'] })).toEqual({
    argv: ['/x/agent', 'a'],
    dropped: [],
  });
  expect(scripted.resume?.(ID)).toBeNull();
});
