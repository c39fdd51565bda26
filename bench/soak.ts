import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../src/client/index.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { hookText } from './hook-text.ts';
import { endProcess, mebibytesIn, median, pause, startDaemon } from './measure.ts';

/** What the daemon and its folder held at one moment. */
interface Sample {
  readonly minute: number;
  readonly rounds: number;
  readonly rssMib: number;
  /** Without the pages of the program itself, which the kernel takes and gives back as it likes. */
  readonly ownMib: number;
  readonly descriptors: number;
  readonly spoolFiles: number;
  readonly logKib: number;
  readonly historyKib: number;
  readonly stateKib: number;
}

const SESSIONS = 40;
const SAMPLE_MS = 15_000;
/** Hooks of so many agents at work, together. */
const HOOKS_PER_SECOND = 25;
const BIRTHS_PER_SECOND = 3;

interface SoakOptions {
  readonly minutes: number;
  /** How many times slower than usual everything comes and goes. */
  readonly slower: number;
}

/** A day's worth of births, deaths, renames and hooks in some minutes, and what grows under it. */
export async function soak({ minutes, slower }: SoakOptions): Promise<void> {
  const crowd = startCrowd(SESSIONS);
  const client = createClient({ socketPath: join(stateOf(crowd), 'rollcall.sock') });
  const done = { hooks: 0, births: 0, deaths: 0, renames: 0 };
  const samples: Sample[] = [];
  let isOver = false;
  let isStopped = false;
  // What it started goes with it, and what it saw so far is told.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopped = true;
    });
  }
  try {
    const daemon = await startDaemon(crowd);
    const listener = listening(client);
    const isEnded = () => isOver;
    const churning = [churn(crowd, done, slower, isEnded), hooks(crowd, done, slower, isEnded)];
    const start = Date.now();
    while (!isStopped && Date.now() - start < minutes * 60_000) {
      await pause(SAMPLE_MS);
      const { supervision } = await client.status();
      const sample = sampleOf(crowd, daemon, (Date.now() - start) / 60_000, supervision?.rounds ?? 0);
      samples.push(sample);
      process.stderr.write(`${JSON.stringify(sample)}\n`);
    }
    isOver = true;
    await Promise.all(churning);
    listener.abort();
    await endProcess(daemon);
    const text = report(samples, done, isStopped ? (samples.at(-1)?.minute ?? 0) : minutes);
    process.stdout.write(`${text}\n`);
    if (isStopped) return;
    writeFileSync('docs/SOAK.md', text);
    process.stdout.write('wrote docs/SOAK.md\n');
  } finally {
    crowd.stop();
  }
}

function stateOf({ env }: Crowd): string {
  return join(env.XDG_STATE_HOME ?? '', 'rollcall');
}

/** Somebody listens all the time, as a dashboard would. */
function listening(client: ReturnType<typeof createClient>): AbortController {
  const ending = new AbortController();
  void (async () => {
    for await (const _ of client.events({ signal: ending.signal }));
  })();
  return ending;
}

async function churn(
  { env }: Crowd,
  done: { births: number; deaths: number; renames: number },
  slower: number,
  isOver: () => boolean,
): Promise<void> {
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', 'crowd', '-f', '/dev/null', ...argv], { env, encoding: 'utf8' });
  for (let number = 0; !isOver(); number += 1) {
    const name = `churn-${number}`;
    tmux('new-session', '-d', '-s', name, 'sleep 1000');
    done.births += 1;
    if (number % 3 === 0) {
      tmux('rename-session', '-t', `=${name}`, `${name}-renamed`);
      done.renames += 1;
    }
    await pause((slower * 1000) / BIRTHS_PER_SECOND);
    if (number >= 10) {
      const old = number - 10;
      tmux('kill-session', '-t', `=churn-${old}${old % 3 === 0 ? '-renamed' : ''}`);
      done.deaths += 1;
    }
  }
}

async function hooks(
  crowd: Crowd,
  done: { hooks: number },
  slower: number,
  isOver: () => boolean,
): Promise<void> {
  const spool = join(stateOf(crowd), 'spool');
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const script = join(crowd.env.XDG_STATE_HOME ?? '', 'hook');
  writeFileSync(script, hookText(spool), { mode: 0o700 });
  const panes = execFileSync(
    'tmux',
    ['-S', crowd.socketPath, 'list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{session_name}'],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .filter((line) => line.includes(' agent-'));
  const agents = panes.map((line) => {
    const [pane = '', pid = ''] = line.split(' ');
    const [agent = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return { pane, agent, session_id: randomUUID() };
  });
  const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop'];
  for (let number = 0; !isOver(); number += 1) {
    const { pane, agent, session_id } = agents[number % agents.length] ?? agents[0]!;
    const event = events[Math.floor(number / agents.length) % events.length] ?? '';
    const env = {
      ...crowd.env,
      TMUX: `${crowd.socketPath},${crowd.serverPid},0`,
      TMUX_PANE: pane,
      CLAUDE_PID: agent,
    };
    await run(script, event, env, JSON.stringify({ session_id, hook_event_name: event, tool_name: 'Bash' }));
    done.hooks += 1;
    await pause((slower * 1000) / HOOKS_PER_SECOND);
  }
}

function run(script: string, event: string, env: NodeJS.ProcessEnv, payload: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(script, ['claude', event], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject).on('close', () => resolve());
    child.stdin.end(payload);
  });
}

function sampleOf(crowd: Crowd, daemon: ChildProcess, minute: number, rounds: number): Sample {
  const state = stateOf(crowd);
  return {
    minute: Math.round(minute * 10) / 10,
    rounds,
    rssMib: Math.round(mebibytesIn(daemon.pid, 'VmRSS')),
    ownMib: Math.round(mebibytesIn(daemon.pid, 'RssAnon')),
    descriptors: readdirSync(`/proc/${daemon.pid}/fd`).length,
    spoolFiles: readdirSync(join(state, 'spool')).length,
    logKib: sizeOf(state, /^daemon\.log/),
    historyKib: sizeOf(join(state, 'history'), /./),
    stateKib: sizeOf(state, /./),
  };
}

function sizeOf(folder: string, names: RegExp): number {
  const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    if (!entry.isFile() || !names.test(entry.name)) return 0;
    return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

function report(
  samples: readonly Sample[],
  done: Readonly<Record<'hooks' | 'births' | 'deaths' | 'renames', number>>,
  minutes: number,
): string {
  // Before that its code is still compiled, and its buffers find their size.
  const early = samples.filter(({ minute }) => minute >= minutes / 12 && minute <= minutes / 6);
  const late = samples.filter(({ minute }) => minute > minutes - minutes / 12);
  const fields = [
    'rssMib',
    'ownMib',
    'descriptors',
    'spoolFiles',
    'logKib',
    'historyKib',
    'stateKib',
  ] as const;
  const words = {
    rssMib: 'memory (RSS), MiB',
    ownMib: 'of it its own (RssAnon), MiB',
    descriptors: 'open descriptors',
    spoolFiles: 'files in the spool',
    logKib: 'daemon.log, KiB',
    historyKib: 'history, KiB',
    stateKib: 'files in the state folder, KiB',
  };
  const row = (field: (typeof fields)[number]) => {
    const of = (some: readonly Sample[]) => median(some.map((sample) => sample[field]));
    const [before, after] = [of(early), of(late)];
    const change = before > 0 ? `${(((after - before) * 100) / before).toFixed(0)} %` : '';
    const most = Math.max(...samples.map((sample) => sample[field]));
    return `| ${words[field]} | ${before.toFixed(0)} | ${after.toFixed(0)} | ${change} | ${most} |`;
  };
  const { rounds = 0 } = samples.at(-1) ?? {};
  const [from, to, last] = [minutes / 12, minutes / 6, minutes - minutes / 12].map((one) => Math.round(one));
  return `# A day in some minutes

Written by \`npm run soak\`. A daemon with ${SESSIONS} sessions of agents beside which others come and go, for ${minutes} minutes: ${done.births} sessions
were started, ${done.deaths} killed, ${done.renames} renamed, ${done.hooks} hooks called, ${rounds} rounds taken, and a client heard every event.
At one round in 10 s, a day has 8640.

| | minutes ${from} to ${to}, median | minutes ${last} to ${minutes}, median | change | most |
| --- | ---: | ---: | ---: | ---: |
${fields.map(row).join('\n')}
`;
}
