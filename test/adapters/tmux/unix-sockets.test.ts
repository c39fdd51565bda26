import { expect, it } from 'vitest';
import { parseUnixSockets, readUnixSockets } from '../../../src/adapters/tmux/server-processes.ts';

const TABLE = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 18240 /tmp/tmux-1000/default
0000000000000000: 00000003 00000000 00000000 0001 03 18241 /tmp/tmux-1000/default
0000000000000000: 00000002 00000000 00010000 0001 01    77 /tmp/with space/and 00010000 s
0000000000000000: 00000002 00000000 00010000 0001 01 18243 @/tmp/abstract
0000000000000000: 00000002 00000000 00010000 0005 01 18244 /run/seqpacket
0000000000000000: 00000002 00000000 00010000 0001 01 18245
0000000000000000: 00000002 00000000 00010000 0001 01 18246 relative.sock
`;

it('finds the listening stream sockets that have a path', () => {
  const sockets = parseUnixSockets(TABLE);
  expect([...sockets.byInode]).toEqual([
    ['18240', '/tmp/tmux-1000/default'],
    ['77', '/tmp/with space/and 00010000 s'],
    ['18246', 'relative.sock'],
  ]);
  expect([...sockets.paths]).toEqual([...sockets.byInode.values()]);
});

it('has no answer where there is no such table', () => {
  expect(readUnixSockets('/nonexistent')).toBeNull();
});
