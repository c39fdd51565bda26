import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, ROLLCALL } from '../support/command.ts';
import { ScriptedAgents, scriptedProgramIn } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { Resident } from './resident.ts';

/** A process of a world, by the numbers that hold inside it. */
export interface Inhabitant {
  readonly pid: number;
  readonly ppid: number;
  readonly state: string;
  readonly comm: string;
  readonly argv: readonly string[];
}

/** Root needs no user namespace; without root the kernel may allow one. */
const SEALS = [
  { unshare: ['-m', '-p', '-f', '--kill-child=KILL', '--mount-proc'], nsenter: ['-m', '-p'] },
  {
    unshare: ['-U', '-r', '-m', '-p', '-f', '--kill-child=KILL', '--mount-proc'],
    nsenter: ['-U', '--preserve-credentials', '-m', '-p'],
  },
];

const SEAL = SEALS.find(({ unshare }) => {
  try {
    execFileSync('unshare', [...unshare, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Whether this kernel allows worlds; where it does not, tests of the laws are skipped. */
export const hasWorlds = SEAL !== undefined;

/** Waits for every child, also for those that it inherits. */
const INIT = 'trap "" HUP; while :; do sleep 3600 & wait $!; done';

/**
 * A world of its own for one test: pid and mount namespace, HOME, XDG folders, TMPDIR and default tmux socket. Whatever is
 * killed or broken in it stays in it, and ends with it. The built command runs in it as a user would run it.
 */
export class World {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly agents: ScriptedAgents;
  readonly #init: ChildProcess;
  #initPid = 0;
  #resident: Promise<Resident> | null = null;

  private constructor() {
    if (SEAL === undefined) throw new Error('this kernel allows no namespaces');
    this.folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'w-'));
    for (const name of FOLDERS) mkdirSync(join(this.folder, name));
    for (const name of ['run', 'tmux']) chmodSync(join(this.folder, name), 0o700);
    const { PATH, LANG } = process.env;
    this.env = {
      ...{ PATH, LANG, LC_ALL: 'C.UTF-8', TERM: 'screen-256color', SHELL: '/bin/bash' },
      HOME: join(this.folder, 'home'),
      XDG_STATE_HOME: join(this.folder, 'state'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      XDG_DATA_HOME: join(this.folder, 'data'),
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      XDG_RUNTIME_DIR: join(this.folder, 'run'),
      TMUX_TMPDIR: join(this.folder, 'tmux'),
      TMPDIR: join(this.folder, 'tmp'),
      ROLLCALL_SCRIPTED_AGENT: scriptedProgramIn(this.folder),
    };
    this.agents = new ScriptedAgents(this.folder);
    this.#init = spawn('unshare', [...SEAL.unshare, 'sh', '-c', INIT], { env: this.env, stdio: 'ignore' });
  }

  static async open(config: Readonly<Record<string, unknown>> = {}): Promise<World> {
    const world = new World();
    world.configure(config);
    world.#initPid = await until('the world begins', () => childOf(world.#init.pid ?? 0));
    // Until it is mounted, the table of whoever runs the tests is there, and that has a process 1 too.
    const isInit = ({ pid, argv }: Inhabitant) => pid === 1 && argv.includes(INIT);
    await until('it has its own process table', () => world.processes().some(isInit));
    return world;
  }

  /** Ends everything in it. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#init.once('close', resolve));
    this.#init.kill('SIGKILL');
    await ended;
    await until('nobody is left in it', () => !isThere(this.#initPid));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The user's settings; times that a test cannot wait for are short unless it says otherwise. */
  configure(config: Readonly<Record<string, unknown>>): void {
    mkdirSync(join(this.folder, 'config', 'rollcall'), { recursive: true });
    writeFileSync(
      join(this.folder, 'config', 'rollcall', 'config.json'),
      JSON.stringify({ ...SHORT_TIMES, ...config }),
    );
  }

  get stateFolder(): string {
    return join(this.folder, 'state', 'rollcall');
  }

  /** A path as this process reaches it, also below what was mounted in the world. */
  inside(path: string): string {
    return `/proc/${this.#initPid}/root${path}`;
  }

  /** Starts a program in it. */
  start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const [enter, ...words] = this.#enter;
    return spawn(enter, [...words, ...argv], {
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  get #enter(): [string, ...string[]] {
    const seal = SEAL?.nsenter ?? [];
    return ['nsenter', '-t', String(this.#initPid), ...seal, '--', 'env', '-C', this.folder];
  }

  /** Runs a program in it to its end. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = this.start(argv, env);
      const out = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]?.setEncoding('utf8').on('data', (text: string) => {
          out[name] += text;
        });
      }
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ exitCode, ...out }));
    });
  }

  sh(script: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return this.run(['bash', '-c', script], env);
  }

  /** The built command, as a user in this world calls it from outside of tmux. */
  rollcall(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return this.run([...ROLLCALL.split(' '), ...argv], env);
  }

  /**
   * The same from its sources, in a process that is there already: for what a test prepares, and asks again and again. What
   * a test is about it runs with `rollcall`.
   */
  async ask(argv: readonly string[]): Promise<Ran> {
    this.#resident ??= Resident.start(this.#enter, this.env);
    let resident = await this.#resident;
    if (!resident.isThere) {
      this.#resident = Resident.start(this.#enter, this.env);
      resident = await this.#resident;
    }
    return resident.rollcall(argv);
  }

  /** What a command prints with `--json`. */
  async json<T = Record<string, never>>(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
    return this.#parsed(argv, await this.rollcall([...argv, '--json'], env));
  }

  /** The same of one that only asks. */
  async asked<T = Record<string, never>>(argv: readonly string[]): Promise<T> {
    return this.#parsed(argv, await this.ask([...argv, '--json']));
  }

  #parsed<T>(argv: readonly string[], { stdout, stderr }: Ran): T {
    const printed = stdout === '' ? null : JSON.parse(stdout);
    if (printed === null || 'error' in printed) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
    return printed as T;
  }

  /** The one session of that name, as `rollcall --json` tells of it. */
  async entry(name: string, env: NodeJS.ProcessEnv = {}): Promise<SeenEntry> {
    const isPlain = Object.keys(env).length === 0;
    type Seen = { readonly sessions: readonly SeenEntry[] };
    const { sessions } = isPlain ? await this.asked<Seen>([]) : await this.json<Seen>([], env);
    const found = sessions.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no session ${name}: ${sessions.map((one) => one.name)}`);
    return found;
  }

  /** Takes a session into care and declares its work complete: what prevents closing it then is all there is. */
  async complete(name: string): Promise<void> {
    for (const argv of [
      ['adopt', name],
      ['complete', name],
    ]) {
      const { exitCode, stdout, stderr } = await this.ask(argv);
      if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
    }
  }

  /** A tmux command on the default server, without any configuration. */
  async tmux(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(['tmux', '-u', '-f', '/dev/null', ...args]);
    if (exitCode !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  }

  /** A detached session; without a command a bash without any profile stands at its prompt. */
  async session(name: string, ...command: string[]): Promise<Made> {
    const printed = await this.tmux(
      ...['new-session', '-d', '-x', '120', '-y', '30', '-P', '-F', '#{session_id} #{pane_id} #{pane_pid}'],
      ...['-s', name, ...(command.length > 0 ? command : BARE_SHELL)],
    );
    const [sessionId = '', paneId = '', pid = '0'] = printed.split(' ');
    return { sessionId, paneId, pid: Number(pid) };
  }

  /** A managed session whose program has ended well: `close --due` takes it unless something speaks against it. */
  async ended(name: string): Promise<void> {
    const go = join(this.folder, `go-${name}`);
    const program = ['sh', '-c', `until [ -e ${go} ]; do sleep 0.05; done`];
    await this.ask(['run', '--name', name, '--remain', '--', ...program]);
    writeFileSync(go, '');
    await this.untilEnded(name);
  }

  /** Waits until tmux knows that a program ended well: before 3.6 it may miss that until another child of its own ends. */
  async untilEnded(name: string): Promise<void> {
    const status = async () => {
      await this.tmux('run-shell', '-b', 'true');
      return this.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_dead_status}');
    };
    await until(`${name} has ended`, status, (code) => code === '0');
  }

  async names(): Promise<string[]> {
    const { stdout } = await this.run(['tmux', 'list-sessions', '-F', '#{session_name}']);
    return stdout.split('\n').filter(Boolean);
  }

  async screen(target: string): Promise<string> {
    return this.tmux('capture-pane', '-p', '-t', target);
  }

  /** A person at a terminal of their own, attached to a session until they leave. */
  async attach(name: string): Promise<Person> {
    const desk = `desk-${Math.random().toString(36).slice(2, 8)}`;
    const at = ['tmux', '-u', '-L', desk, '-f', '/dev/null'];
    await this.run([
      ...[...at, 'new-session', '-d', '-x', '120', '-y', '32', '-s', 'desk'],
      ...['env', '-u', 'TMUX', '-u', 'TMUX_PANE', 'tmux', '-u', 'attach', '-t', `=${name}`],
    ]);
    const attached = () => this.tmux('display-message', '-p', '-t', `=${name}:`, '#{session_attached}');
    await until(`somebody is attached to ${name}`, attached, (count) => Number(count) > 0);
    return {
      type: async (...keys) => {
        await this.run([...at, 'send-keys', '-t', '=desk:', ...keys]);
      },
      leave: async () => {
        await this.run([...at, 'kill-server']);
        await until(`nobody is attached to ${name}`, attached, (count) => Number(count) === 0);
      },
    };
  }

  /** Everything that runs in it. */
  processes(): Inhabitant[] {
    const root = `/proc/${this.#initPid}/root/proc`;
    let names: string[];
    try {
      names = readdirSync(root);
    } catch {
      return [];
    }
    return names.flatMap((name) => (/^\d+$/.test(name) ? (inhabitant(root, Number(name)) ?? []) : []));
  }

  /** Whether a process of this number runs in it; a zombie does not. */
  isAlive(pid: number): boolean {
    const found = inhabitant(`/proc/${this.#initPid}/root/proc`, pid);
    return found !== null && found.state !== 'Z';
  }

  /** The one process whose command line holds this text; `exec -a NAME` is the surest way to give it one. */
  find(text: string): Inhabitant | undefined {
    return this.processes().find(({ argv }) => argv.join(' ').includes(text));
  }

  /** Innocents that nothing may touch: a working session, a detached job, a person attached to a third session. */
  async bystanders(): Promise<Bystanders> {
    await this.session('bystander-works', 'bash', '-c', 'while :; do sleep 1; done');
    const { pid: shell } = await this.session('bystander-person');
    await this.attach('bystander-person');
    await this.sh('nohup setsid bash -c "exec -a bystander-job sleep 100000" >/dev/null 2>&1 &');
    const job = await until('the job runs', () => this.find('bystander-job'));
    const works = Number(await this.tmux('display-message', '-p', '-t', '=bystander-works:', '#{pane_pid}'));
    return {
      harmed: async () => {
        const names = await this.names();
        return [
          ...['bystander-works', 'bystander-person'].filter((name) => !names.includes(name)),
          ...Object.entries({ works, shell, job: job?.pid ?? 0 })
            .filter(([, pid]) => !this.isAlive(pid))
            .map(([name]) => `process of ${name}`),
        ];
      },
    };
  }
}

export interface Made {
  readonly sessionId: string;
  readonly paneId: string;
  readonly pid: number;
}

export interface Person {
  /** Presses keys at their terminal, by their tmux names. */
  type(...keys: string[]): Promise<void>;
  /** Their terminal is closed, as when a connection drops. */
  leave(): Promise<void>;
}

export interface Bystanders {
  /** Which of them are not as they were. */
  harmed(): Promise<string[]>;
}

/** The parts of a session object that tests of the laws look at. */
export interface SeenEntry {
  readonly key: string;
  readonly name: string;
  readonly activity: string;
  readonly lifecycle: string;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
  readonly blockers: readonly { readonly code: string; readonly text: string }[];
  readonly protections: readonly { readonly code: string; readonly text: string }[];
}

/** A bash that reads no profile, at a prompt that everybody knows. */
export const BARE_SHELL = ['env', 'PS1=$ ', 'bash', '--norc', '--noprofile', '-i'];

const FOLDERS = ['home', 'state', 'config', 'data', 'cache', 'run', 'tmux', 'tmp'];

const SHORT_TIMES = {
  // Worlds are many, and the machine is busy: an answer that takes its time is none the worse.
  tmux: { timeout: '20s' },
  ...{ exitedAfter: '1s', confirmFor: '1s', startingFor: '1s', recentInput: '10s' },
  roles: { '*': { onComplete: 'close-after-idle' } },
};

function inhabitant(root: string, pid: number): Inhabitant | null {
  try {
    const stat = readFileSync(`${root}/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const [state = '', ppid = '0'] = stat.slice(end + 2).split(' ');
    const argv = readFileSync(`${root}/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return { pid, ppid: Number(ppid), state, comm: stat.slice(stat.indexOf('(') + 1, end), argv };
  } catch {
    return null;
  }
}

function childOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? 0);
  } catch {
    return 0;
  }
}

function isThere(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
