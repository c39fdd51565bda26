import { describe, expect, it } from 'vitest';
import { isShowable, maskSecrets, maskWords, shownCommand } from '../../src/core/mask-secrets.ts';

const KEY = 'sk-ant-api03-abcDEF123456789xyz';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9';

describe('a command line', () => {
  it.each([
    [
      ['agent', '--api-key', 'X y'],
      ['agent', '--api-key', '***'],
    ],
    [
      ['agent', '--token=X'],
      ['agent', '--token=***'],
    ],
    [
      ['agent', '-token', 'X'],
      ['agent', '-token', '***'],
    ],
    [
      ['agent', '--password=a b"c'],
      ['agent', '--password=***'],
    ],
    [
      ['env', 'OPENAI_API_KEY=a;b', 'GH_TOKEN=c', 'agent'],
      ['env', 'OPENAI_API_KEY=***', 'GH_TOKEN=***', 'agent'],
    ],
    [
      ['env', 'KEY=1', 'apiKey=2', 'DB_PWD=3', 'my.secret=4'],
      ['env', 'KEY=***', 'apiKey=***', 'DB_PWD=***', 'my.secret=***'],
    ],
    [
      ['agent', KEY],
      ['agent', '***'],
    ],
    [
      ['git', 'clone', 'https://ann:pa55@host/x.git'],
      ['git', 'clone', 'https://ann:***@host/x.git'],
    ],
    [
      ['git', 'clone', 'https://0123456789abcdef0123@host/x'],
      ['git', 'clone', 'https://***@host/x'],
    ],
    [
      ['curl', '-H', 'Authorization: Bearer abcdefgh123'],
      ['curl', '-H', 'Authorization: ***'],
    ],
    [
      ['curl', '-H', 'Authorization: Basic dXNlcjpw'],
      ['curl', '-H', 'Authorization: ***'],
    ],
    [
      ['curl', '-H', `X-Auth: ${JWT}`],
      ['curl', '-H', 'X-Auth: ***'],
    ],
    [
      ['sh', '-c', 'API_TOKEN=a run'],
      ['sh', '-c', 'API_TOKEN=***'],
    ],
    [
      ['sh', '-c', `cd x; API_TOKEN='a b' run; SECRET="c d" run`],
      ['sh', '-c', `cd x; API_TOKEN='***' run; SECRET="***" run`],
    ],
    [
      ['curl', '-d', '{"api_key": "abc", "n": 1}'],
      ['curl', '-d', '{"api_key": "***", "n": 1}'],
    ],
  ])('%j', (argv, masked) => {
    expect(maskWords(argv)).toEqual(masked);
    expect(shownCommand(argv, 4000)).toBe(masked.join(' '));
    expect(isShowable(argv)).toBe(false);
  });

  it.each([
    [['claude', '--resume', '0b6c5a52-7f0e-4a9e-b1c1-1f2e3d4c5b6a']],
    [['agent', '--max-tokens', '100', '--max_tokens=5', '--token-file', '/run/token', '--keyboard=de']],
    [['agent', '--token', '--verbose']],
    [
      [
        'env',
        'PATH=/bin',
        'PWD=/home',
        'ROLLCALL_RUN=5f0c',
        'TERM=xterm',
        'node',
        '/opt/task-skill/sk-list.js',
      ],
    ],
    [['rollcall', 'lock', '--project=/home/ann/monkey', '--', 'sh', '-c', 'echo http://host:80/a@b']],
    [['npm', 'run', 'build', '']],
  ])('without a secret stays as it is: %j', (argv) => {
    expect(maskWords(argv)).toEqual(argv);
    expect(isShowable(argv)).toBe(true);
  });

  it('is cut, and cannot hide a control character', () => {
    expect(shownCommand(['a\u001b', 'x'.repeat(100)], 10)).toBe('a\\e xxxxx…');
    expect(shownCommand([], 10)).toBe('');
  });
});

describe('a text', () => {
  it.each([
    `key ${KEY}`,
    `(${KEY})`,
    'ghp_abcdefghijklmnop1234',
    'github_pat_11ABCDEFG0123456789',
    'glpat-abcdefghijkl1234',
    'xoxb-1234567890-abc',
    'xapp-1-A012345678',
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'a1'.repeat(17)}`,
    'ya29.abcdefghijklmnop',
    `SG.${'a'.repeat(20)}.${'b'.repeat(20)}`,
    JWT,
    'bearer abcdefgh1234',
    'token: abcd',
    '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nabc',
  ])('%s', (text) => {
    const masked = maskSecrets(text);
    expect(masked).toContain('***');
    expect(masked).not.toMatch(/abc|123|IOSF|a1a1/);
    expect(maskSecrets(masked)).toBe(masked);
  });

  it.each([
    'eyJ',
    'eyJaaaa.',
    'sk-',
    'sk-a',
    'a:',
    '://',
    '://a:',
    'token=',
    'token="',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
    'authorization: ',
    '"',
    "a='\\",
    'a',
    '-',
    ' ',
  ])('of a megabyte of %j is masked in linear time', { timeout: 60_000 }, (part) => {
    // Of this process alone, however busy the machine is; with the square of its length it would take minutes.
    const begun = process.cpuUsage();
    maskSecrets(part.repeat(Math.ceil(1_000_000 / part.length)));
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
  });
});
