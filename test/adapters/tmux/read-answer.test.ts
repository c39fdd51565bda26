import { expect, it } from 'vitest';
import { readNoAnswer } from '../../../src/adapters/tmux/run-tmux.ts';

const SOCKET = '/tmp/tmux-1000/default';
const said = (stderr: string, code: number | null = 1, signal: NodeJS.Signals | null = null) =>
  readNoAnswer({ ended: 'exit', code, signal, stdout: Buffer.alloc(0), stderr }, SOCKET);

it.each([
  `no server running on ${SOCKET}\n`,
  `error connecting to ${SOCKET} (No such file or directory)\n`,
  `error connecting to ${SOCKET} (Connection refused)\n`,
])('S32: takes "%s" for exact absence', (complaint) => {
  expect(said(complaint)).toEqual({ state: 'absent' });
});

it.each([
  ['no server running on /tmp/tmux-1000/other', 'failed'],
  [`no server running on ${SOCKET}2`, 'failed'],
  ['server exited unexpectedly', 'failed'],
  ['lost server', 'failed'],
  ['', 'failed'],
  [`error connecting to ${SOCKET} (Resource temporarily unavailable)`, 'failed'],
  [`error connecting to ${SOCKET} (Permission denied)`, 'not-permitted'],
  [`error connecting to ${SOCKET} (Operation not permitted)`, 'not-permitted'],
  ['access not allowed', 'refused'],
  ['protocol version mismatch (client 8, server 7)', 'refused'],
])('S32: never takes "%s" for absence', (complaint, failure) => {
  expect(said(complaint)).toMatchObject({ state: 'failed', failure });
});

it('S32: never takes the end of the tmux client for absence', () => {
  expect(said(`no server running on ${SOCKET}`, null, 'SIGKILL')).toMatchObject({ failure: 'failed' });
  expect(said('', 0)).toMatchObject({ failure: 'garbled' });
  expect(readNoAnswer({ ended: 'timeout' }, SOCKET)).toMatchObject({ failure: 'timeout' });
  expect(readNoAnswer({ ended: 'aborted' }, SOCKET)).toMatchObject({ failure: 'stopped' });
  expect(readNoAnswer({ ended: 'unstartable', text: 'x' }, SOCKET)).toMatchObject({ failure: 'failed' });
  expect(readNoAnswer({ ended: 'too-long', stdout: Buffer.alloc(0) }, SOCKET)).toMatchObject({
    failure: 'garbled',
  });
});

it('S54: shows a complaint without its escapes, and not endlessly', () => {
  const answer = said(`\u001b]0;x\u0007${'y'.repeat(5000)}`);
  expect(answer).toMatchObject({ text: expect.stringMatching(/^\\e\]0;x\\u\{7\}y{100}/) });
  expect(answer.state === 'failed' && answer.text.length).toBeLessThan(600);
});
