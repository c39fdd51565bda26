import { describe, expect, it } from 'vitest';
import { recognises, startWords } from '../../../../src/adapters/agents/opencode/command-line.ts';

describe('recognising opencode', () => {
  it.each([
    ['opencode'],
    ['/home/dev/.opencode/bin/opencode', '-c'],
    ['/opt/lib/node_modules/opencode-ai/bin/opencode.exe', '--port', '4096'],
    ['node', '/opt/lib/node_modules/opencode-ai/bin/opencode', '/home/dev/source'],
    ['node', '/usr/local/bin/opencode', '-s', 'ses_1'],
    ['opencode', '--model', 'run', '--prompt', 'serve'],
    ['opencode', 'attach', 'http://127.0.0.1:4096'],
  ])('knows %j', (...argv) => expect(recognises(argv)).toBe(true));

  it.each([
    ['opencode', 'serve', '--port', '4096'],
    ['opencode', '--print-logs', 'run', 'fix it'],
    ['opencode', 'web'],
    ['opencode', 'mcp', 'list'],
    ['opencode', 'auth', 'login'],
    ['opencode', 'models'],
    ['opencode', 'upgrade'],
    ['opencode', '--version'],
    ['node', '/opt/lib/node_modules/opencode-ai/bin/opencode', 'acp'],
    [],
  ])('leaves %j alone', (...argv) => expect(recognises(argv)).toBe(false));

  it.each([
    ['vim', '/home/dev/opencode/opencode'],
    ['/home/dev/opencode/bin/tool'],
    ['node', '/home/dev/opencode/server.js'],
    ['opencoder'],
    ['tail', '-f', '/home/dev/.local/share/opencode/log/opencode.log'],
  ])('S8: a path that contains its name is not opencode: %j', (...argv) =>
    expect(recognises(argv)).toBe(false),
  );
});

describe('reading its command line', () => {
  it.each([
    [['--port', '4096'], { port: 4096 }],
    [['--port=4097', '--hostname', '127.0.0.1'], { port: 4097 }],
    [['--port', '0'], {}],
    [['--port', '99999'], {}],
    [['--port'], {}],
    [['-s', 'ses_abc'], { session: 'ses_abc' }],
    [['--session=ses_abc'], { session: 'ses_abc' }],
    [['-s', '../../etc'], {}],
    [['-s', 'ses_abc', '--fork'], { isForked: true }],
    [['-c'], { isContinued: true }],
    [['-cs', 'ses_abc'], { session: 'ses_abc', isContinued: true }],
    [['-s=ses_abc', '--fork=false'], { session: 'ses_abc' }],
    [['--continue=true', '--fork'], { isForked: true }],
    [['--prompt', '-c'], {}],
    [['attach', 'http://localhost:1'], { isAttached: true }],
  ])('%j', (given, expected) =>
    expect(startWords(['opencode', ...given])).toEqual({
      isContinued: false,
      isForked: false,
      isAttached: false,
      ...expected,
    }),
  );
});
