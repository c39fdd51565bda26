import { describe, expect, it } from 'vitest';
import { callerEnvironment, LEAKED_VARIABLES } from '../../../src/engine/act/caller-environment.ts';

const taken = (env: Record<string, string | undefined>) => callerEnvironment(env).values;

describe('the environment of a caller', () => {
  it('is taken as it is, whatever its names and values are', () => {
    const env = { PATH: 'bin:/bin', FOO: '', 'not-a-name': 'a\nb', CLAUDE_CONFIG_DIR: '/mine' };
    expect(taken({ ...env, MISSING: undefined, '': 'nameless' })).toEqual(env);
  });

  it('leaves out the marks of agents, of tmux and of rollcall', () => {
    const marks = [...LEAKED_VARIABLES, 'TMUX', 'TMUX_PANE', 'ROLLCALL_RUN', 'ROLLCALL_OWNER'];
    expect(taken(Object.fromEntries(marks.map((name) => [name, 'x'])))).toEqual({});
    expect(marks).toEqual(expect.arrayContaining(['ROLLCALL_STARTED', 'CLAUDE_CODE_SESSION_KIND']));
  });

  it('leaves what is about a terminal to the tmux server', () => {
    const { values, leftToServer } = callerEnvironment({ TERM: 'dumb', COLUMNS: '10', SHELL: '/bin/fish' });
    expect(values).toEqual({});
    expect(leftToServer).toEqual(expect.arrayContaining(['TERM', 'COLUMNS', 'SHELL', 'PWD']));
  });

  it('leaves out what an agent sets for its tools, and keeps what the user set', () => {
    expect(taken({ CLAUDECODE: '1', GIT_EDITOR: 'true' })).toEqual({});
    expect(callerEnvironment({ CODEX_CI: '1', PAGER: 'cat' }).leftToServer).toContain('PAGER');
    expect(taken({ CLAUDECODE: '1', GIT_EDITOR: 'vi' })).toEqual({ GIT_EDITOR: 'vi' });
    expect(taken({ GIT_EDITOR: 'true', NO_COLOR: '1' })).toEqual({ GIT_EDITOR: 'true', NO_COLOR: '1' });
  });
});
