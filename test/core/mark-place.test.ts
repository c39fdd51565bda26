import { describe, expect, it } from 'vitest';
import { mayBeMarkOf } from '../../src/core/sight/marks.ts';

const server = { socketPath: '/tmp/tmux-0/default', pid: 77 };
const elsewhere = (isNamesake: boolean) => ({ at: 'elsewhere', isNamesake }) as const;

describe('a mark', () => {
  it.each([
    ['here, with its number', '/tmp/tmux-0/default', 77, { at: 'here' } as const, true],
    ['here, with its socket spelled otherwise', '/private/tmp/x', 77, { at: 'here' } as const, true],
    ['here, with another number', '/tmp/tmux-0/default', 78, { at: 'here' } as const, false],
    ['in a sandbox, with its socket', '/tmp/tmux-0/default', 77, elsewhere(false), true],
    ['in a container, with another socket', '/other', 77, elsewhere(false), false],
    ['in a container that has such a server', '/tmp/tmux-0/default', 77, elsewhere(true), false],
  ])('%s', (_, socketPath, serverPid, place, is) => {
    expect(mayBeMarkOf({ socketPath, serverPid }, server, place)).toBe(is);
  });
});
