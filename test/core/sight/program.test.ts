import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../../../src/adapters/agents/codex/codex-agent.ts';
import { programName, programOf } from '../../../src/core/sight/program.ts';
import type { ProgramRole } from '../../../src/core/verdict/evidence.ts';
import { cpuTimeMs, HOSTILE } from '../cpu-time.ts';

const agents = [claudeAgent(), codexAgent()];
const recognise = (argv: readonly string[]) => agents.find((agent) => agent.recognises(argv))?.kind ?? null;
const of = (...argv: string[]) => programOf('comm', argv, recognise);
const nobody = () => null;

describe('a process is', () => {
  it.each<[ProgramRole, string, string[]]>([
    ['shell', 'bash', ['-bash']],
    ['shell', 'zsh', ['/usr/bin/zsh', '-il']],
    ['shell', 'bash', ['bash', '--rcfile', '/tmp/rc', '-i']],
    ['shell', 'bash', ['bash', '-o', 'vi']],
    ['shell', 'bash', ['bash', '+O', 'extglob']],
    ['shell', 'fish', ['fish', '-C', 'set -g x 1']],
    ['shell', 'sh', ['sh', '+x']],
    ['wrapper', 'bash', ['bash', '-c', 'claude; exec bash']],
    ['wrapper', 'bash', ['bash', '-lc', 'make']],
    ['wrapper', 'bash', ['bash', '-euo', 'pipefail', '-c', 'make']],
    ['wrapper', 'fish', ['fish', '--command=make']],
    ['wrapper', 'nu', ['nu', '--commands', 'make']],
    ['command', 'deploy.sh', ['bash', './deploy.sh']],
    ['command', 'deploy.sh', ['bash', './deploy.sh', '-c']],
    ['command', 'deploy.sh', ['bash', '-o', 'pipefail', '/opt/deploy.sh']],
    ['command', 'deploy.sh', ['bash', '-euo', 'pipefail', '/opt/deploy.sh']],
    ['command', 'deploy.sh', ['bash', '--rcfile', '/tmp/rc', '/opt/deploy.sh']],
    ['command', 'deploy.sh', ['bash', '-C', '/opt/deploy.sh']],
    ['command', 'deploy.fish', ['fish', '-i', '/opt/deploy.fish']],
    ['interactive', 'node', ['node']],
    ['interactive', 'python3.11', ['/usr/bin/python3.11', '-i']],
    ['command', 'server.js', ['node', '--inspect', '/srv/server.js']],
    ['command', 'job.py', ['python3', 'job.py']],
    ['command', 'python3', ['python3', '-']],
    ['command', 'python-thing', ['python-thing']],
    ['interactive', 'vim', ['vim', 'claude.md']],
    ['interactive', 'less', ['/usr/bin/less']],
    ['remote', 'ssh', ['ssh', 'host', 'claude']],
    ['remote', 'docker', ['docker', 'exec', '-it', 'box', 'claude']],
    ['wrapper', 'direnv', ['direnv', 'exec', '.', 'claude']],
    ['wrapper', 'npm', ['npm exec @anthropic-ai/claude-code']],
    ['command', 'make', ['make', '-j8']],
    ['command', 'server', ['/opt/claude app/server']],
    ['agent', 'claude', ['claude', '--resume']],
    ['agent', 'codex', ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']],
  ])('%s: %s, started as %j', (role, name, argv) => {
    expect(of(...argv)).toMatchObject({ role, name });
  });

  it('a command by its short name where its arguments cannot be read', () => {
    expect(programOf('kworker', [], nobody)).toEqual({ name: 'kworker', role: 'command' });
    expect(programOf('odd', [''], nobody)).toEqual({ name: 'odd', role: 'command' });
    // As Node.js 24 and later call their first thread.
    expect(programOf('MainThread', [], nobody)).toEqual({ name: 'node', role: 'command' });
  });

  it('an agent of the kind that the adapters say', () => {
    expect(of('claude')).toEqual({ name: 'claude', role: 'agent', agentKind: 'claude' });
    expect(programOf('claude', ['claude'], nobody)).toEqual({ name: 'claude', role: 'command' });
  });
});

describe('the name of a program', () => {
  it.each([
    ['/usr/bin/bash', 'bash'],
    ['-zsh', 'zsh'],
    ['/opt/my tools/run', 'run'],
    ['/home/x/claude code/run it', 'run it'],
    ['npm exec @scope/name', 'npm'],
    ['tmux: server', 'tmux:'],
    ['', ''],
  ])('of %j is %j', (path, name) => {
    expect(programName(path)).toBe(name);
  });
});

it('S57: hostile arguments of 100 kB take no time', () => {
  const used = cpuTimeMs(() => {
    for (const text of HOSTILE) {
      of(text);
      of('bash', text, text);
      of('node', text);
      programOf(text, [], recognise);
    }
  });
  expect(used).toBeLessThan(1000);
});
