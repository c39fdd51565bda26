import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../../../src/adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from '../../../src/adapters/agents/gemini/gemini-agent.ts';
import { genericAgents } from '../../../src/adapters/agents/generic/generic-agents.ts';
import { opencodeAgent } from '../../../src/adapters/agents/opencode/opencode-agent.ts';
import { programOf } from '../../../src/core/sight/program.ts';
import { commandsIn } from '../../../src/core/sight/start-command.ts';

const agents = [claudeAgent(), codexAgent(), geminiAgent(), opencodeAgent(), ...genericAgents];
const kindsOf = (argv: readonly string[]) =>
  agents.filter((agent) => agent.recognises(argv)).map((agent) => agent.kind);

describe('S8: a path with the name of an agent in it is not the agent', () => {
  it.each([
    [['demiclaude']],
    [['/usr/local/bin/demiclaude', '--resume']],
    [['claude-monitor']],
    [['claude.sh']],
    [['/bin/bash', '-c', 'source /home/x/.claude/shell-snapshots/x.sh && eval make']],
    [['bash', '/home/x/.claude/shell-snapshots/x.sh']],
    [['vim', 'claude.md']],
    [['vim', 'claude']],
    [['less', '/home/x/claude']],
    [['node', '/home/x/claude/server.js']],
    [['node', '/home/x/node_modules/claude/cli.js']],
    [['node', '/home/x/@anthropic-ai/claude-code/cli.js']],
    [['node', '/srv/node_modules/@anthropic-ai/claude-code-tools/cli.js']],
    [['node', 'server.js', 'claude']],
    [['node', '--title=claude', 'server.js']],
    [['node']],
    [['node', '/home/x/claude']],
    [['node', '-r', '/opt/bin/claude', 'server.js']],
    [['sh', 'claude']],
    [['python3', '-m', 'http.server']],
    [['grep', '-r', 'codex', '.']],
    [['ssh', 'host', 'claude']],
    [['docker', 'exec', '-it', 'box', 'claude']],
    [['/opt/claude app/server']],
    [['/home/x/claude code/run']],
    [['sudo', 'claude']],
    [['']],
    [[]],
  ])('S8: %j', (argv) => {
    expect(kindsOf(argv)).toEqual([]);
    expect(programOf('comm', argv, (words) => kindsOf(words)[0] ?? null).role).not.toBe('agent');
  });
});

describe('S22: an agent is known by its exact program, also behind an interpreter', () => {
  it.each([
    ['claude', ['claude']],
    ['claude', ['/home/x/.local/bin/claude', '--resume', 'y']],
    ['claude', ['-claude']],
    ['claude', ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js']],
    ['claude', ['/usr/bin/node', '--no-warnings', '/usr/local/bin/claude']],
    ['codex', ['codex', '--no-daemon']],
    ['codex', ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']],
    ['gemini', ['node', '--max-old-space-size=8192', '/usr/bin/gemini']],
    ['gemini', ['node', '/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js']],
    ['opencode', ['/usr/lib/node_modules/opencode-ai/bin/opencode']],
    ['opencode', ['bun', '/usr/lib/node_modules/opencode-ai/bin/opencode.js']],
    ['copilot', ['node', '/usr/lib/node_modules/@github/copilot/index.js']],
    ['cursor-agent', ['cursor-agent']],
    ['amp', ['amp']],
    ['aider', ['/usr/bin/python3.12', '/home/x/.local/bin/aider']],
    ['aider', ['python3', '-m', 'aider']],
    ['claude', ['/bin/sh', '/home/x/.claude/local/claude', '--continue']],
    ['goose', ['goose', 'session']],
  ])('S22: %s started as %j', (kind, argv) => {
    expect(kindsOf(argv)).toEqual([kind]);
  });

  it.each([
    ['bash -c "claude; exec bash"', ['claude']],
    ['npx claude', ['claude']],
    ['"FOO=1 claude --flag"', ['claude']],
    ['cd /x/claude && codex', ['codex']],
    ['vim claude.md', []],
    ['docker exec -it box claude', []],
    ['grep "foo|claude|bar" log', []],
  ])('S22: a pane that was started with %j was started for %j', (startCommand, kinds) => {
    expect(commandsIn(startCommand).flatMap(kindsOf)).toEqual(kinds);
  });
});

it('no two kinds claim the same program', () => {
  const kinds = agents.map((agent) => agent.kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  for (const kind of kinds) expect(kindsOf([kind])).toEqual([kind]);
});

it('what an agent recognised this way is doing is not known: it has no word', () => {
  for (const agent of genericAgents) expect(agent.listen).toBeUndefined();
});
