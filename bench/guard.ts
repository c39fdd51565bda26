import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figures, figures, pause } from './measure.ts';

const KINDS = ['pane process killed', 'kill-session', 'kill-server'] as const;

/** Time from a death to its sentinel, ms. */
export interface GuardRow {
  readonly kind: (typeof KINDS)[number];
  readonly rounds: number;
  readonly guardMs: Figures;
  readonly pollingMs: Figures;
}

export interface GuardBench {
  readonly rows: readonly GuardRow[];
  /** CPU of a guard that watches ten live panes, in percent of one core. */
  readonly idleCpuPercent: number;
}

/**
 * Kills what is watched at a random moment and measures when the sentinel is there: `rollcall guard --follow` as a
 * process of its own, beside the usual way, which asks `tmux has-session` once a second and believes the fifth no.
 */
export async function benchGuard(rounds: number): Promise<GuardBench> {
  const rows: GuardRow[] = [];
  for (const kind of KINDS) {
    const times: { guard: number; polling: number }[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await oneDeath(kind));
    rows.push({
      kind,
      rounds,
      guardMs: figures(times.map((time) => time.guard)),
      pollingMs: figures(times.map((time) => time.polling)),
    });
  }
  return { rows, idleCpuPercent: await idleCpu(10, 5000) };
}

async function oneDeath(kind: GuardRow['kind']): Promise<{ guard: number; polling: number }> {
  const room = openRoom();
  try {
    const { pid, paneId } = room.start(1);
    const [guard, polling] = [join(room.folder, 'guard.json'), join(room.folder, 'polling.json')];
    const guarding = room.guard(guard);
    await guardsIt(guarding, pid);
    room.keep(
      spawn('sh', ['-c', POLLING, room.socketPath, 'guarded', paneId, polling], {
        env: room.env,
        stdio: 'ignore',
      }),
    );
    await pause(1000 + Math.random() * 1000);
    const seen = Promise.all([appears(room.folder, guard), appears(room.folder, polling)]);
    const killedAt = performance.now();
    if (kind === 'pane process killed') process.kill(pid, 'SIGKILL');
    else room.tmux(...(kind === 'kill-server' ? ['kill-server'] : ['kill-session', '-t', '=guarded']));
    const [guardAt, pollingAt] = await seen;
    return { guard: guardAt - killedAt, polling: pollingAt - killedAt };
  } finally {
    room.close();
  }
}

// Five noes, one second apart, as a shell would.
const POLLING = `
noes=0
while :; do
  if tmux -S "$0" has-session -t "$1" 2>/dev/null && [ "$(tmux -S "$0" display-message -p -t "$2" '#{pane_dead}' 2>/dev/null)" = 0 ]
  then noes=0
  else noes=$((noes + 1))
  fi
  if [ "$noes" -ge 5 ]; then echo '{"reason_category":"infra_failure"}' > "$3"; exit 1; fi
  sleep 1
done`;

async function idleCpu(panes: number, forMs: number): Promise<number> {
  const room = openRoom();
  try {
    const { pid } = room.start(panes);
    const guarding = room.guard(join(room.folder, 'guard.json'));
    await guardsIt(guarding, pid);
    await pause(1000);
    const before = cpuTicks(guarding.pid);
    await pause(forMs);
    return ((cpuTicks(guarding.pid) - before) * 10 * 100) / forMs;
  } finally {
    room.close();
  }
}

// Hundredths of a second, its ended children (tmux clients) included.
function cpuTicks(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

interface Room {
  readonly folder: string;
  readonly socketPath: string;
  readonly env: NodeJS.ProcessEnv;
  tmux(...argv: string[]): string;
  start(panes: number): { readonly pid: number; readonly paneId: string };
  guard(sentinel: string): ChildProcess;
  keep(child: ChildProcess): void;
  close(): void;
}

function openRoom(): Room {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-guard-'));
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = process.env;
  const home = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  const env = { ...rest, ...home, TMUX_TMPDIR: folder, LC_ALL: 'C.UTF-8' };
  const socketPath = join(folder, `tmux-${process.getuid?.() ?? 0}`, 'guard');
  const children: ChildProcess[] = [];
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', 'guard', '-f', '/dev/null', ...argv], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  return {
    folder,
    socketPath,
    env,
    tmux,
    start(panes) {
      const format = ['-P', '-F', '#{pane_pid} #{pane_id}'];
      tmux('new-session', '-d', '-s', 'beside', 'sleep 1000');
      const [pid = '0', paneId = ''] = tmux(
        'new-session',
        '-d',
        '-s',
        'guarded',
        ...format,
        'sleep 1000',
      ).split(' ');
      for (let pane = 1; pane < panes; pane += 1) tmux('new-window', '-d', '-t', '=guarded:', 'sleep 1000');
      return { pid: Number(pid), paneId };
    },
    guard(sentinel) {
      const argv = [
        'dist/rollcall.cjs',
        'guard',
        'guarded',
        '--server',
        socketPath,
        '--follow',
        '--sentinel',
        sentinel,
      ];
      const child = spawn(process.execPath, argv, { env, stdio: 'ignore' });
      children.push(child);
      return child;
    },
    keep: (child) => children.push(child),
    close() {
      for (const child of children) child.kill('SIGKILL');
      try {
        tmux('kill-server');
      } catch {
        // It was killed on purpose.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// A guard holds its pane's process open as a file; until then it is still starting.
async function guardsIt(guard: ChildProcess, pid: number): Promise<void> {
  const folder = `/proc/${guard.pid}/fd`;
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await pause(10)) {
    if (openFiles(folder).includes(`/proc/${pid}/stat`)) return;
  }
  throw new Error('the guard did not begin to watch');
}

function openFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return [];
    }
  });
}

function appears(folder: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder, () => {
      if (!existsSync(path)) return;
      clearTimeout(timer);
      watcher.close();
      resolve(performance.now());
    });
    const timer = setTimeout(() => {
      watcher.close();
      reject(new Error(`${path} did not appear within 20 s`));
    }, 20_000);
  });
}
