import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { outsideOf, StreamOutput } from '../../src/cli/frame/outside.ts';
import { runCli } from '../../src/cli/frame/run-cli.ts';
import { until } from '../support/until.ts';
import { NO_CAPABILITIES } from './fake-outside.ts';
import { entry, roll } from './render/samples.ts';

const asTerminal = (stream: NodeJS.WritableStream) => stream as unknown as NodeJS.WriteStream;

/** The writing end of a pipe whose reader lives on but reads no more, as `head` does. */
async function closedPipe(): Promise<{ stdin: NodeJS.WritableStream; end(): Promise<unknown> }> {
  const reader = spawn('sh', ['-c', 'exec 0<&-; echo closed; exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(reader.stdout, 'data');
  const end = () => {
    reader.kill();
    return once(reader, 'exit');
  };
  return { stdin: reader.stdin, end };
}

/** A process with streams of a test's own. */
function processWith(stdout: NodeJS.WritableStream, stdin: NodeJS.ReadableStream = new PassThrough()) {
  const signals = new Map<string, Set<() => void>>();
  const fake = {
    env: { HOME: '/nowhere' },
    cwd: () => '/nowhere',
    pid: 1,
    execPath: 'node',
    argv: ['node', 'rollcall.cjs'],
    stdout,
    stderr: new PassThrough(),
    stdin,
    on: (signal: string, listener: () => void) =>
      signals.set(signal, (signals.get(signal) ?? new Set()).add(listener)),
    off: (signal: string, listener: () => void) => signals.get(signal)?.delete(listener),
  };
  return { process: fake as unknown as NodeJS.Process, signals };
}

const MADE = {
  version: '1',
  socketOf: (label: string) => label,
  capabilities: {
    ...NO_CAPABILITIES,
    eyes: async () => async () => roll(Array.from({ length: 500 }, (_, index) => entry(`session-${index}`))),
    standIn: async () => null,
  },
};

describe('the output', () => {
  it('into a reader that quits at once ends quietly with exit 0', async () => {
    const { stdin, end } = await closedPipe();
    const { process } = processWith(stdin);
    expect(await runCli(['ghost', '--json'], outsideOf(process, MADE))).toBe(0);
    await end();
  });

  it('that a reader takes to the end keeps the exit code of the command', async () => {
    const reader = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    const { process } = processWith(reader.stdin);
    expect(await runCli(['ghost', '--json'], outsideOf(process, MADE))).toBe(4);
    reader.stdin.end();
    await once(reader, 'exit');
  });

  it('is written whole before the exit code is given', async () => {
    const reader = spawn('sh', ['-c', 'sleep 0.3; wc -c'], { stdio: ['pipe', 'pipe', 'ignore'] });
    let counted = '';
    reader.stdout.on('data', (chunk) => {
      counted += chunk;
    });
    const { process } = processWith(reader.stdin);
    expect(await runCli(['--json'], outsideOf(process, MADE))).toBe(0);
    expect(reader.stdin.writableLength).toBe(0);
    reader.stdin.end();
    await once(reader, 'close');
    expect(Number(counted)).toBeGreaterThan(100_000);
  });

  it('into a stream that was already destroyed is one without a reader', async () => {
    const gone = new PassThrough();
    gone.destroy();
    const output = new StreamOutput(() => asTerminal(gone));
    output.write('x');
    expect(await output.settled()).toBe('closed');
  });

  it.skipIf(process.platform !== 'linux')('into a full disk fails, and says so', async () => {
    const full = createWriteStream('/dev/full');
    const { process: fake } = processWith(full);
    expect(await runCli(['--json'], outsideOf(fake, MADE))).toBe(1);
    expect(String((fake.stderr as unknown as PassThrough).read())).toContain(
      'the output could not be written',
    );
  });

  it('tells whoever listens for a hangup that the reader is gone, so that a watch ends', async () => {
    const { stdin, end } = await closedPipe();
    const { process, signals } = processWith(stdin);
    const outside = outsideOf(process, MADE);
    let hangups = 0;
    const release = outside.onSignal('SIGHUP', () => {
      hangups += 1;
    });
    outside.stdout.write('x');
    await until(
      'the hangup is told',
      () => hangups,
      (count) => count === 1,
    );
    release();
    expect(signals.get('SIGHUP')?.size).toBe(0);
    await end();
  });

  it('has no width without a terminal', () => {
    const output = new StreamOutput(() => asTerminal(new PassThrough()));
    expect([output.isTTY, output.columns, output.rows]).toEqual([false, null, null]);
  });

  it('follows the size of a terminal', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
    const output = new StreamOutput(() => asTerminal(terminal));
    let resizes = 0;
    const release = output.onResize(() => {
      resizes += 1;
    });
    terminal.columns = 100;
    terminal.emit('resize');
    release();
    terminal.emit('resize');
    expect([output.columns, resizes]).toEqual([100, 1]);
  });

  it('is not even opened by a command that prints nothing', async () => {
    const never = new StreamOutput(() => {
      throw new Error('opened');
    });
    expect(await never.settled()).toBe('written');
  });
});

describe('the input', () => {
  it('gives whole characters and stops flowing with the last listener', async () => {
    const stdin = new PassThrough();
    const { process } = processWith(new PassThrough(), stdin);
    const { stdin: input } = outsideOf(process, MADE);
    const heard: string[] = [];
    const release = input.onText((text) => heard.push(text));
    const bytes = Buffer.from('ü');
    stdin.write(bytes.subarray(0, 1));
    stdin.write(bytes.subarray(1));
    await until(
      'the character is heard',
      () => heard.join(''),
      (text) => text === 'ü',
    );
    expect(heard.join('')).not.toContain('\ufffd');
    release();
    expect(stdin.isPaused()).toBe(true);
  });
});

describe('the working folder', () => {
  it('that was removed under the process does not stop rollcall', () => {
    const { process } = processWith(new PassThrough());
    process.cwd = () => {
      throw new Error('ENOENT: uv_cwd');
    };
    expect(outsideOf(process, MADE).cwd).toBe('/');
  });
});
