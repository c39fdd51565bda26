import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../../src/core/sight/start-command.ts';
import { cpuTimeMs, HOSTILE } from '../cpu-time.ts';

describe('the commands in a start command', () => {
  it.each<[string, string[][]]>([
    ['', []],
    ['claude --resume x', [['claude', '--resume', 'x']]],
    ['bash -c "claude; exec bash"', [['claude']]],
    // As tmux 3.3a shows a command that it was given as one argument.
    [String.raw`"bash -c \"claude --flag; exec bash\""`, [['claude', '--flag']]],
    [String.raw`"sleep 1\nclaude"`, [['sleep', '1'], ['claude']]],
    ['FOO=1 exec env BAR=2 claude', [['claude']]],
    ['/usr/bin/nice -19 npx -y claude', [['claude']]],
    // As rollcall starts a program, alone and behind the lock of its project.
    ['/usr/bin/env -u CLAUDECODE -u AGENT -- "OWNER=a b" claude --flag', [['claude', '--flag']]],
    ['env -- A=1 /bin/node /x/rollcall.cjs lock --name=runner -- claude -c', [['claude', '-c']]],
    ['rollcall lock -- sh -c "claude"', [['claude']]],
    ['rollcall lock status', [['rollcall', 'lock', 'status']]],
    ['rollcall run -- claude', [['rollcall', 'run', '--', 'claude']]],
    ['env -u', []],
    ['bash -lc "FOO=1 claude" name', [['claude']]],
    ["zsh -ic 'exec claude'", [['claude']]],
    ['sh -c \'sh -c "claude"\'', [['claude']]],
    ['bash script.sh', [['script.sh']]],
    ['cd "/x/my dir" && claude || true', [['cd', '/x/my dir'], ['claude'], ['true']]],
    ['(claude) & { codex; }', [['claude'], ['codex']]],
    [String.raw`vim my\ claude.md 'it'"s"`, [['vim', 'my claude.md', 'its']]],
    ['exec bash', []],
    ['-odd name', [['-odd', 'name']]],
    ['"unclosed claude', [['unclosed', 'claude']]],
  ])('%j: %j', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands);
  });

  it.each([
    ...['sh -c claude', 'bash -c claude', 'zsh -c claude', 'dash -c "exec claude"', 'exec claude'],
    ...['command claude', 'env claude', 'nohup claude', 'setsid -w claude', 'nice claude', 'sudo claude'],
    ...['npx claude', 'time -p claude', 'env -i claude', 'env -u AGENT claude', 'env --unset AGENT claude'],
    ...['env -C /x claude', 'env --chdir /x claude', 'nice -n 5 claude', 'nice --adjustment 5 claude'],
    ...['sudo -u me claude', 'sudo --user me -g us claude', 'sudo --group us claude', 'exec -a x claude'],
  ])('%j starts claude, whatever carries it', (text) => {
    expect(commandsIn(text)).toEqual([['claude']]);
  });

  it.each([
    'grep "foo|claude|bar" log',
    'sh -c \'echo "a; claude"; exec sh\'',
    "echo 'done; claude'",
    'vim claude.md',
    'cat ~/.claude/shell-snapshots/x.sh',
    String.raw`"echo \"run; claude\""`,
    'bash -x "claude code"',
    'exec -c "notes; claude"',
  ])('S8: %j starts no claude', (text) => {
    expect(commandsIn(text).map(([program]) => program)).not.toContain('claude');
  });
});

it('S57: a hostile start command of 100 kB takes no time', () => {
  const used = cpuTimeMs(() => {
    for (const text of HOSTILE) commandsIn(text);
  });
  expect(used).toBeLessThan(1000);
});
