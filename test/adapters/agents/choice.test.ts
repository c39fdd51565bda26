import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../../../src/adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from '../../../src/adapters/agents/gemini/gemini-agent.ts';
import { opencodeAgent } from '../../../src/adapters/agents/opencode/opencode-agent.ts';

const ID = '01234567-89ab-4def-8123-456789abcdef';
const agents = [claudeAgent(), codexAgent(), geminiAgent(), opencodeAgent()];

/** What the agent that a line begins with says of it, when it runs in /work. */
function choiceOf(line: string) {
  const argv = line.split(' ');
  return agents.find(({ kind }) => kind === argv[0])?.choice?.(argv, '/work') ?? null;
}

describe('how a command line comes to its conversation', () => {
  it.each([
    'claude --continue',
    'claude -c',
    'claude --model opus -c',
    'claude --resume',
    'claude -r auth',
    'claude --from-pr 12',
    'claude -p --continue job',
    'gemini --resume',
    'gemini -r latest',
    'gemini --resume 5',
    'gemini --session-file x.json',
    'opencode -c',
    'opencode --continue --model x/y',
    'opencode run -c job',
  ])('%s: it or its user chooses', (line) => {
    expect(choiceOf(line)).toEqual({ how: 'open' });
  });

  it.each([
    'claude',
    'claude fix --continue-ly',
    'claude -- --continue',
    'claude -p job',
    'gemini',
    'gemini -i job',
    'opencode',
    'opencode run job',
  ])('%s: it begins one', (line) => {
    expect(choiceOf(line)).toEqual({ how: 'new' });
  });

  it.each([
    `claude --resume ${ID}`,
    `claude --session-id=${ID}`,
    `gemini --resume ${ID}`,
    `gemini --session-id ${ID}`,
    'claude --continue --fork-session',
    'opencode -s ses_1',
    'opencode -c --fork',
  ])('%s: it has one of its own', (line) => {
    expect(choiceOf(line)).toEqual({ how: 'own' });
  });

  it.each(['claude mcp list', 'codex app-server', 'codex agents', 'gemini mcp list', 'opencode serve'])(
    '%s: it holds none',
    (line) => {
      expect(choiceOf(line)).toBeNull();
    },
  );

  it('is none of another program', () => {
    for (const { choice } of agents) expect(choice?.(['vim', '--continue'], '/work')).toBeNull();
  });

  it('goes by the folder that Codex was told to work in, or by none', () => {
    expect(choiceOf('codex resume --last')).toEqual({ how: 'open', folder: '/work' });
    expect(choiceOf('codex resume')).toEqual({ how: 'open', folder: '/work' });
    expect(choiceOf('codex resume --last go on')).toEqual({ how: 'open', folder: '/work' });
    expect(choiceOf('codex exec resume --last')).toEqual({ how: 'open', folder: '/work' });
    expect(choiceOf('codex -C shop resume --last')).toEqual({ how: 'open', folder: '/work/shop' });
    expect(choiceOf('codex resume --all')).toEqual({ how: 'open', folder: null });
    expect(choiceOf('codex resume my-thread')).toEqual({ how: 'open', folder: null });
    expect(choiceOf(`codex resume ${ID}`)).toEqual({ how: 'own', folder: '/work' });
    expect(choiceOf('codex fork --last')).toEqual({ how: 'own', folder: '/work' });
    expect(choiceOf('codex fix it')).toEqual({ how: 'new', folder: '/work' });
    expect(agents[1]?.choice?.(['codex', 'resume', '--last'], undefined)).toEqual({ how: 'open' });
  });
});
