import { readServerSettings } from '../../../src/adapters/doctor/server-settings.ts';
import type { Reach } from '../../../src/adapters/tmux/act/act-if.ts';
import { captureHistory } from '../../../src/adapters/tmux/act/history.ts';
import { readLayout } from '../../../src/adapters/tmux/act/layout.ts';
import { readRun } from '../../../src/adapters/tmux/act/own-marks.ts';
import { readStance } from '../../../src/adapters/tmux/act/stance.ts';
import { readStanding } from '../../../src/adapters/tmux/act/standing.ts';
import { readStarted } from '../../../src/adapters/tmux/act/started.ts';
import { captureBatch, plainRow, screenLines } from '../../../src/adapters/tmux/capture-screens.ts';
import { createListingParser } from '../../../src/adapters/tmux/parse-listing.ts';
import { type RunTmux, readNoAnswer } from '../../../src/adapters/tmux/run-tmux.ts';
import { parseUnixSockets } from '../../../src/adapters/tmux/server-processes.ts';
import { spansOf } from '../../../src/core/agent/styled.ts';
import { parseTmuxVersion } from '../../../src/core/doctor/checks/machine-tmux-version.ts';
import { looksEmpty, textBeforeCursor } from '../../../src/core/prompt/prompt.ts';
import { namesInEnvironment } from '../../../src/core/sight/server-environment.ts';
import type { ScreenSighting } from '../../../src/core/sight/sighting.ts';
import { commandsIn, wordsOfLine } from '../../../src/core/sight/start-command.ts';
import { shownWords } from '../../../src/core/text/shown-words.ts';
import { recordedIn, samples } from '../corpus.ts';
import { type Target, target } from '../target.ts';

const NONCE = '0123456789abcdef01';

function record(kind: string, facts: readonly (string | number)[], texts: readonly string[] = []): string {
  const head = `${NONCE}${kind}${NONCE}${facts.join(',')}${NONCE}`;
  return `${head}${texts.map((text) => `${text}${NONCE}`).join('')}\n`;
}

const pane = (session: string, id: string, dead: string, texts: readonly string[]) =>
  record(
    'pane',
    [session, 1794962580, '', id, 0, 0, 1, 1, 4242, dead, dead && 1, '', 1794962590, 0, 0, 0, 0],
    texts,
  );

const LISTING = [
  record('server', [99, '3.4', 1794962000, '..']),
  pane('$0', '%0', '', ['work', '', '', '✳ title', '/dev/pts/1', 'sh -c "claude; exec sh"', '', '/srv', '']),
  pane('$1', '%1', '1', ['other', 'group', 'held', 'a,b\tc', '/dev/pts/2', '', '/srv', '', 'cut']),
  record('client', ['$0', 4300, 1794962591, 0], ['/dev/pts/9']),
  record('end', []),
].join('');

const SOCKETS = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 20544 /tmp/tmux-1000/default
0000000000000000: 00000003 00000000 00000000 0001 03 20545 /tmp/tmux-1000/default
0000000000000000: 00000002 00000000 00010000 0001 01 20546 @/tmp/.X11-unix/X0
`;

const PANES = ['%0', '%1'];
const MARK = 'NONCE';
const CAPTURE = `${MARK}77${MARK}\n\x1b[1mone\x1b[0m  \n\ntwo\n${MARK}3,0,80,3${MARK}\n❯ \n${MARK}2,0,80,1${MARK}\n`;

/** What tmux prints in answer to a command, with the word of that very call. */
function printing(input: Buffer, nonceIn: (command: readonly string[]) => string, code = 0): RunTmux {
  return async (_, command) => {
    const [first = '', ...others] = input.toString('latin1').split(MARK);
    const nonce = nonceIn(command);
    const stdout = Buffer.from([first, ...others].join(nonce), 'latin1');
    return { ended: 'exit', code, signal: null, stdout, stderr: '' };
  };
}

/** tmux answers a question about one session or pane with just this. */
function reachOf(
  input: Buffer,
  wrap: (text: Buffer, words: readonly string[]) => Buffer = (text) => text,
): Reach {
  const run: RunTmux = async (_, command) => {
    const whole = command.join(' ');
    const nonce = /([0-9a-f]{18})begin/.exec(whole)?.[1] ?? '';
    const marks = [...new Set(whole.match(/[0-9a-f]{18}/g))].filter((word) => word !== nonce);
    const stdout = Buffer.concat([
      Buffer.from(`${nonce}begin\n`),
      wrap(input, marks),
      Buffer.from(`${nonce}done\n`),
    ]);
    return { ended: 'exit', code: 0, signal: null, stdout, stderr: '' };
  };
  return { run, uid: process.getuid?.() ?? 0, timeoutMs: 1000, folderProblem: () => null };
}

// Whatever is no socket is refused before tmux is asked; a place that is not there is not.
const SESSION = {
  server: { socketPath: '/nowhere/rollcall-fuzz', pid: 77, startTicks: 5 },
  sessionId: '$1',
  createdAtSeconds: 5,
};
const PANE = { session: SESSION, paneId: '%1', pid: 9 };

export const TMUX_TARGETS: readonly Target[] = [
  target({
    name: 'tmux-listing',
    covers: [
      'adapters/tmux/parse-listing.ts#createListingParser',
      'adapters/tmux/read-records.ts#createRecordReader',
    ],
    seeds: samples(LISTING, record('server', [99, '3.4', '', ''])),
    words: [NONCE, '%0', '$0', ',,,'],
    parse: (input) => createListingParser()(input.toString('utf8'), NONCE),
    // Half an answer is none.
    damaged: ({ damage }, answer) => (answer === null ? null : `reads a listing that is ${damage}`),
  }),
  target({
    name: 'tmux-capture',
    covers: ['adapters/tmux/capture-screens.ts#captureBatch'],
    seeds: samples(CAPTURE),
    words: [MARK, '80,24', '\n'],
    parse: (input) => captured(input),
    async damaged({ sample }, answer) {
      const whole = new Map((await captured(sample)).map((one) => [one.paneId, JSON.stringify(one)]));
      const other = answer.find(
        (one) => one.state === 'captured' && whole.get(one.paneId) !== JSON.stringify(one),
      );
      return other === undefined ? null : `takes what is left of a screen for the screen of ${other.paneId}`;
    },
  }),
  target({
    name: 'screen-rows',
    covers: [
      'adapters/tmux/capture-screens.ts#screenLines',
      'adapters/tmux/capture-screens.ts#plainRow',
      'core/agent/styled.ts#spansOf',
    ],
    seeds: () => recordedIn('fixtures/agents/gemini/screens', '.txt').map(({ bytes }) => bytes),
    words: ['\x1b[38;5;246m', '\x1b[0m', '\x1b]8;;http://x\x1b\\', '\x0e', '\n'],
    parse(input) {
      const styled = screenLines(input);
      return { styled, lines: styled.map(plainRow), spans: spansOf(styled) };
    },
    objection(_, { styled, lines, spans }) {
      if (styled.length > 10_000) return `has ${styled.length} rows`;
      const row = lines.findIndex(
        (line, at) => withoutBlanks((spans[at] ?? []).map(({ text }) => text).join('')) !== line,
      );
      return row === -1 ? null : `row ${row} reads otherwise in its spans`;
    },
    growth: 120,
    hard: {
      'blanks before a letter': (bytes) => Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from('x')]),
      'empty rows': (bytes) => Buffer.alloc(bytes, '\n'),
    },
  }),
  target({
    name: 'tmux-history',
    covers: ['adapters/tmux/act/history.ts#captureHistory'],
    seeds: samples('one  \ntwo\n\n\n', '$ ls\na b  c   \n'),
    parse: (input) => captureHistory(reachOf(input), PANE),
    objection: (_, answer) =>
      answer.state === 'captured' && / \n/.test(answer.text) ? 'keeps blanks at the end of a line' : null,
    hard: {
      'blanks before a letter': (bytes) => Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from('x\n')]),
    },
  }),
  target({
    name: 'tmux-sockets',
    covers: [
      'adapters/tmux/server-processes.ts#parseUnixSockets',
      'adapters/tmux/server-processes.ts#readUnixSockets',
    ],
    seeds: samples(SOCKETS),
    words: [' 00010000 0001 01 ', '@'],
    parse: (input) => parseUnixSockets(input.toString('utf8')),
  }),
  target({
    name: 'tmux-started',
    covers: ['adapters/tmux/act/started.ts#readStarted'],
    seeds: samples(`${NONCE}99,$3,1794962580,%7,4242${NONCE}a name${NONCE}\n`),
    words: [NONCE, '-1'],
    parse: (input) => readStarted(input.toString('utf8'), '/tmp/s', NONCE),
  }),
  target({
    name: 'tmux-stance',
    covers: ['adapters/tmux/act/stance.ts#readStance'],
    seeds: samples('1794962580|0/0|1794962580|0/|1|0|0 |%1=9 |0 |0 |0/claude/2/3/0/40/1794962580 \n'),
    words: ['|', '%1=9 ', '=long='],
    async parse(input) {
      const told = await readStance(reachOf(input), SESSION);
      return told.state === 'seen' ? { ...told.stance, toldAt: 0 } : told;
    },
  }),
  target({
    name: 'tmux-standing',
    covers: ['adapters/tmux/act/standing.ts#readStanding'],
    seeds: samples('0/%1 .1/%2 %3 .| 1\n'),
    words: ['|', '.', '%2 '],
    parse: (input) => readStanding(reachOf(input), SESSION),
  }),
  target({
    name: 'tmux-layout',
    covers: ['adapters/tmux/act/layout.ts#readLayout', 'core/text/shown-words.ts#shownWords'],
    seeds: samples('#0 1 1 %1 abcd,80x24,0,0,1 a name$"sh -c x"$/srv#\n#1 0 0 %2 abcd,80x24,0,0,1 b$$#\n'),
    words: ['#', '$', '…', '"'],
    parse: (input) =>
      readLayout(
        reachOf(input, (text, marks) => {
          const [row = '', field = ''] = marks;
          return Buffer.from(text.toString('latin1').replaceAll('#', row).replaceAll('$', field), 'latin1');
        }),
        SESSION,
      ),
    hard: {
      'many panes of one window': (bytes) => Buffer.from('#0 1 1 %1 l n$$#\n'.repeat(Math.ceil(bytes / 17))),
    },
  }),
  target({
    name: 'tmux-own-marks',
    covers: ['adapters/tmux/act/own-marks.ts#readRun'],
    seeds: samples('1 run-word run-word\non\npane-died[0] run-shell x\n', '0  \n'),
    parse: (input) => readRun(reachOf(input), PANE),
    objection: (input, answer) =>
      answer.state === 'read' && !/^[01] \S* .*\n/.test(input.toString('utf8'))
        ? 'reads what is not there'
        : null,
  }),
  target({
    name: 'tmux-complaint',
    covers: ['adapters/tmux/run-tmux.ts#readNoAnswer'],
    seeds: samples(
      'no server running on /tmp/s',
      'error connecting to /tmp/s (No such file or directory)',
      'error connecting to /tmp/s (Connection refused)',
      'error connecting to /tmp/s (Permission denied)',
      'server version is too old for client',
    ),
    parse(input) {
      const stderr = input.toString('utf8');
      const run = { ended: 'exit', code: 1, signal: null, stdout: Buffer.alloc(0), stderr } as const;
      return readNoAnswer(run, '/tmp/s');
    },
    objection: (input, { state }) =>
      state === 'absent' && !ABSENCES.has(input.toString('utf8').trimEnd())
        ? 'takes another complaint for absence'
        : null,
  }),
  target({
    name: 'tmux-environment',
    covers: ['core/sight/server-environment.ts#namesInEnvironment'],
    seeds: samples('PATH="/bin"; export PATH;\nA="x\\"y\nz"; export A;\nunset B;\n'),
    words: ['"; export ', '\\"', 'unset '],
    parse: (input) => namesInEnvironment(input.toString('utf8')),
    hard: {
      'one long value': (bytes) =>
        Buffer.concat([Buffer.from('A="'), Buffer.alloc(bytes, 'x'), Buffer.from('"; export A;\n')]),
      'a value without end': (bytes) => Buffer.concat([Buffer.from('A="'), Buffer.alloc(bytes, 'x')]),
      'a name without end': (bytes) => Buffer.alloc(bytes, 'A'),
      'many that are unset': (bytes) => Buffer.alloc(bytes, 'unset B;\n'),
      'one unset without end': (bytes) => Buffer.concat([Buffer.from('unset '), Buffer.alloc(bytes, ';')]),
    },
  }),
  target({
    name: 'tmux-settings',
    covers: ['adapters/doctor/server-settings.ts#readServerSettings'],
    seeds: samples(
      `99${NONCE}\nexit-unattached off\ndestroy-unattached off\n${NONCE}\n$0 0\n$1 1\n${NONCE}\nA="b"; export A;\n${NONCE}\n`,
    ),
    words: [NONCE, '__proto__ on\n'],
    parse: (input) => {
      const run = async () => ({ ended: 'exit', code: 0, stdout: input, stderr: '' }) as const;
      return readServerSettings(run, { socketPath: '/tmp/s', pid: 99 } as never, ['A'], NONCE);
    },
    damaged: ({ damage }, answer) => (answer.state === 'failed' ? null : `reads settings that are ${damage}`),
  }),
  target({
    name: 'tmux-version',
    covers: ['core/doctor/checks/machine-tmux-version.ts#parseTmuxVersion'],
    seeds: samples('3.4', 'next-3.5', '3.3a', 'openbsd-7.4', '3.0-rc'),
    parse: (input) => parseTmuxVersion(input.toString('utf8')),
  }),
  target({
    name: 'start-command',
    covers: ['core/sight/start-command.ts#commandsIn', 'core/sight/start-command.ts#wordsOfLine'],
    seeds: samples(
      'sh -c "agent --flag; exec sh"',
      '"claude --resume \\"a b\\""',
      "env -u A B=1 rollcall lock x -- 'codex' a",
    ),
    words: ['sh -c ', 'env ', '"', '\\', 'rollcall lock -- '],
    parse(input) {
      const text = input.toString('utf8');
      return [commandsIn(text), wordsOfLine(text), shownWords(text)];
    },
    growth: 200,
  }),
  target({
    name: 'shell-prompt',
    covers: ['core/prompt/prompt.ts#looksEmpty', 'core/prompt/prompt.ts#textBeforeCursor'],
    seeds: samples('2 0\n$ ', '15 1\nout\nann@host:~/app$ ls', '2 1\nx\n> '),
    parse(input) {
      const [head = '', ...lines] = input.toString('utf8').split('\n');
      const [x = 0, y = 0] = head.split(' ').map((word) => Number.parseInt(word, 10) || 0);
      const cursor = { x: Math.min(400, Math.abs(x)), y: Math.abs(y) };
      return [looksEmpty(lines, cursor), textBeforeCursor(lines, cursor)];
    },
  }),
];

const ABSENCES: ReadonlySet<string> = new Set([
  'no server running on /tmp/s',
  'error connecting to /tmp/s (No such file or directory)',
  'error connecting to /tmp/s (Connection refused)',
]);

async function captured(input: Buffer): Promise<readonly ScreenSighting[]> {
  const facts = { observedAt: 5, serverPid: 77, rowsAbove: 0 };
  const run = printing(input, (command) => /^[0-9a-f]+/.exec(command[2] ?? '')?.[0] ?? '');
  return (await captureBatch(run, '/tmp/s', PANES, facts)).sightings;
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
