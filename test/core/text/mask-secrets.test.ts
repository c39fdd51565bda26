import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShowable, maskSecrets, maskWords, shownCommand } from '../../../src/core/text/mask-secrets.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';

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
    [
      ['agent', '--token', '-X', '--password', '', 'X', '--token', '--verbose'],
      ['agent', '--token', '***', '--password', '', '***', '--token', '***'],
    ],
    [
      ['x', 'token => X y', 'token:    X y', 'tokens=X', 'TOKEN_1=X', 'pwd=X', '--api-key:X', '--token X'],
      [
        'x',
        'token => ***',
        'token:    ***',
        'tokens=***',
        'TOKEN_1=***',
        'pwd=***',
        '--api-key:***',
        '--token ***',
      ],
    ],
    [
      [
        'git',
        'https://ann:pa/X@host/',
        'https://t:s@X@host',
        'ssh://:X@h',
        'https://a@b.c:1X@h',
        'a://h:1/,b://c:X@d',
      ],
      [
        'git',
        'https://ann:***@host/',
        'https://t:***@host',
        'ssh://:***@h',
        'https://a@b.c:***@h',
        'a://h:1/,b://c:***@d',
      ],
    ],
  ])('%j', (argv, masked) => {
    expect(maskWords(argv)).toEqual(masked);
    expect(shownCommand(argv, 4000)).toBe(masked.join(' '));
    expect(isShowable(argv)).toBe(false);
  });

  it.each([
    [['claude', '--resume', '0b6c5a52-7f0e-4a9e-b1c1-1f2e3d4c5b6a']],
    [['agent', '--max-tokens', '100', '--max_tokens=5', '--token-file', '/run/token', '--keyboard=de']],
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
    [['curl', 'http://host:80,http://[::1]:8080/a@b', 'http://host","mail":"a@b', 'http://host/a:b@c']],
    [['sh', '-c', 'x token=; y --token']],
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
    ['x Authorization: ApiKey X Y\nnext', 'x Authorization: ***\nnext'],
    ['Authorization:Bot "X" Y', 'Authorization:***'],
    ["curl -H 'Proxy-Authorization: Basic X' -v", "curl -H 'Proxy-Authorization: ***' -v"],
    ['Cookie: a="b"; sid=X', 'Cookie: ***'],
    ['{"Cookie": "a; sid=X", "n": 1}', '{"Cookie": "***", "n": 1}'],
    [`{'token': 'X', "secret": 12, 'key': b'X y'}`, `{'token': '***', "secret": ***, 'key': ***`],
    ['"{\\"token\\":\\"X\\\\\\"Y\\",\\"n\\":1}"', '"{\\"token\\":\\"***\\",\\"n\\":1}"'],
    ['{"tokens": ["X", "Y"]}', '{"tokens": ***'],
    ['x PASSWORD=a"X Y" z', 'x PASSWORD=***'],
    ['x; API_KEY=SEC(RET)X z', 'x; API_KEY=*** z'],
    ['x?token=X&y=1; z', 'x?token=***&y=1; z'],
    ['x token=a\\ X y', 'x token=*** y'],
    ['x token=a\\', 'x token=***'],
    ["x token='a'\\''X Y' y\nnext", "x token='***\nnext"],
    ["x token='a\\' b='X'", "x token='***"],
    ['x token="a\\" X" y', 'x token="***" y'],
    ['x token="X y\nnext', 'x token="***\nnext'],
    [`x token=${'\\'.repeat(20)}"X" y`, `x token=${'\\'.repeat(20)}"***`],
    ['"a", "PASSWORD=X Y", "b"', '"a", "PASSWORD=***", "b"'],
    ['run --token -X y', 'run --token *** y'],
    [`["--token","X Y", 'b']`, `["--token","***", 'b']`],
    [`run --password '' "X Y" z`, `run --password '' "***" z`],
    ['token=""', 'token=""'],
    ['token:\t\tX Y', 'token:\t\t***'],
    [
      'private_key: -----BEGIN PRIVATE KEY-----\nX\n-----END PRIVATE KEY-----\nnext',
      'private_key: ***\nnext',
    ],
  ])('%j is masked to the end of what the secret stands in', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
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
    'token="\n',
    "token='\\'\n",
    'token=\\"\n',
    '--token ',
    'token\t',
    '://a:b@',
    'a',
    '-',
    ' ',
  ])('of a megabyte of %j is masked in linear time', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    // With the square of its length it would take minutes.
    expect(cpuSeconds(() => maskSecrets(text))).toBeLessThan(5);
  });
});

describe('a secret of any characters', () => {
  const CORE = 'S3CR3T';
  const odd = fc.string({ unit: fc.constantFrom(...'ab1 \t"\'`\\/@:=;&|,(){}[]<>-#$%'), maxLength: 8 });
  const secret = fc.tuple(odd, odd).map(([before, after]) => `${before}${CORE}${after}`);
  const name = fc.constantFrom('token', 'API_KEY', 'db.password', 'X-Auth-Token', 'clientSecret', 'TOKEN_2');
  const header = fc.constantFrom('Authorization', 'Proxy-Authorization', 'cookie', 'Set-Cookie');
  const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

  /** Every way of writing one that rollcall meets, each a whole text. */
  const ways: Readonly<Record<string, (of: string, name: string, header: string) => string>> = {
    header: (of, _, name) => `GET / HTTP/1.1\n${name}: Scheme ${of}\nnext`,
    'header in a shell': (of, _, name) => `curl -H ${inShell(`${name}: ${of}`)} http://host`,
    'header in JSON': (of, _, name) => JSON.stringify({ n: 1, argv: ['-H', `${name}: ${of}`], z: 'x' }),
    line: (of, name) => `a: b\n${name} =\t p${of}\nc: d`,
    'word in a shell': (of, name) => `cd x && ${name}=${inShell(of)} run "a b"`,
    'word with quotes in it': (of, name) => `x ${name}=a"${of.replace(/["\\`$]/g, '\\$&')}" run`,
    'flag in a shell': (of, name) => `run --${name} ${inShell(of)} --verbose 'a b'`,
    JSON: (of, name) => JSON.stringify({ a: 'b', [name]: of, c: 'd' }),
    'JSON in JSON': (of, name) => JSON.stringify({ a: JSON.stringify({ [name]: of, c: 'd' }), e: 'f' }),
    address: (of) => `git clone https://ann:p${of.replace(/\s/g, '')}@host/x.git y`,
  };

  it.each(Object.entries(ways))('is never shown: %s', (_, write) => {
    fc.assert(
      fc.property(secret, name, header, (of, ...names) => {
        expect(maskSecrets(write(of, ...names))).not.toContain(CORE);
      }),
      { numRuns: 500 },
    );
  });

  it('is never shown as a word of a command line', () => {
    fc.assert(
      fc.property(secret, name, header, (of, name, header) => {
        const argv = [
          'x',
          `--${name}`,
          of,
          `${name}=${of}`,
          `${name}: ${of}`,
          `${header}:${of}`,
          `--${name}`,
          '',
          of,
        ];
        expect(shownCommand(argv, 4000)).not.toContain(CORE);
      }),
    );
  });
});

it('a text is masked the same however many others came before it', () => {
  const texts = Array.from({ length: 9000 }, (_, at) => `run ${at} --token ${KEY}${at}`);
  for (const text of [...texts, ...texts.slice(0, 100)])
    expect(maskSecrets(text)).toBe(`${text.slice(0, text.indexOf(KEY))}***`);
});
