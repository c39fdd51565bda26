import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeDoctor } from '../../../src/compose/doctor/doctor.ts';
import type { Settings } from '../../../src/config/settings.ts';
import type { CheckReport, Finding, Mending } from '../../../src/core/doctor/finding.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { run } from '../../../src/engine/act/run.ts';
import { diagnose } from '../../../src/engine/doctor/diagnose.ts';
import { fix, mendableIn } from '../../../src/engine/doctor/fix.ts';
import type { Doctor, Mender } from '../../../src/engine/doctor/mender.ts';
import { ON_PIPES } from '../../support/on-pipes.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';
import { ClosingRoom, lives, SHORT, untilGone } from '../act/closing-room.ts';

export const PROCESS_CHECKS = ['agent-processes', 'helper-processes'];

/** Two tmux servers, real leftovers, and a doctor that sees both. */
export class DoctorRoom extends ClosingRoom {
  readonly second = new PrivateTmux('second');
  readonly #children: ChildProcess[] = [];

  override get settings(): Settings {
    return { ...super.settings, protect: ['crew-*'] };
  }

  get sockets(): string[] {
    return [this.tmux.socketPath, this.second.socketPath];
  }

  doctor(): Promise<Doctor> {
    return composeDoctor({ env: this.env, settings: this.settings, sockets: this.sockets }, this.tmux.folder);
  }

  override hands(changes: Partial<Hands> = {}): Promise<Hands> {
    return super.hands(changes, this.sockets);
  }

  /** What the process checks say, by pid. */
  async words(doctor: Doctor): Promise<Map<number, Finding>> {
    const reports = diagnose(await doctor.gather(), PROCESS_CHECKS);
    return new Map(reports.flatMap(({ findings }) => findings.map((one) => [one.pid ?? 0, one])));
  }

  /** A session under care whose shell runs this and then stays. */
  async managed(hands: Hands, name: string, script: string): Promise<void> {
    const ready = this.file(`${name}.ready`);
    const argv = ['sh', '-c', `${script}\necho > ${ready}; exec sleep 1000`];
    const ran = await run(hands, this.wish({ name, argv }));
    if (ran.state !== 'started') throw new Error(`${name}: ${JSON.stringify(ran)}`);
    await until(`${name} is ready`, () => existsSync(ready));
  }

  /** Kills a session. As long as the program of its pane lives, what that started is its own and no leftover. */
  async kill(name: string): Promise<void> {
    const root = await this.tmux.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_pid}');
    await this.tmux.tmux('kill-session', '-t', `=${name}`);
    await untilGone(Number(root));
  }

  file(name: string): string {
    return join(this.tmux.folder, name);
  }

  /** Shell words that write down their pid and become a program that stays. */
  stays(name: string, program = 'sleep 1000'): string {
    return `sh -c 'echo $$ > ${this.file(`${name}.pid`)}; exec ${program}'`;
  }

  /** Shell words that become a helper which an agent, since gone, has started. */
  helper(name: string, program = `${this.program('mcp-server-files')} 1000`): string {
    return `env CLAUDECODE=1 bash -c 'echo $$ > ${this.file(`${name}.pid`)}; ${ON_PIPES} exec ${program}'`;
  }

  async pid(name: string): Promise<number> {
    const path = this.file(`${name}.pid`);
    return until(
      `${name} has started`,
      () => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0),
      (pid) => pid > 0 && lives(pid) && isSettled(pid),
    );
  }

  /** A program under another name. */
  program(name: string, source = '/bin/sleep'): string {
    const path = this.file(name);
    if (!existsSync(path)) symlinkSync(source, path);
    return path;
  }

  script(name: string, text: string): string {
    const path = this.file(name);
    writeFileSync(path, text, { mode: 0o755 });
    return path;
  }

  /** A process outside tmux. */
  outside(argv: readonly string[], env: NodeJS.ProcessEnv = {}, uid?: number): number {
    const [program = '', ...words] = argv;
    const child = spawn(program, words, {
      ...{ detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' },
      env: { PATH: process.env.PATH, ...env },
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.#children.push(child);
    return child.pid ?? 0;
  }

  mender(doctor: Doctor, hands: Hands, changes: Partial<Mender> = {}): Mender {
    return { ...doctor, hands, argv: ['test'], timings: SHORT, isForced: false, ...changes };
  }

  async fix(mender: Mender, reports: readonly CheckReport[]): Promise<Mending[]> {
    return fix(mender, mendableIn(reports));
  }

  override leave(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const name of this.#pids()) if (lives(name)) process.kill(name, 'SIGKILL');
    this.second.stop();
    super.leave();
  }

  #pids(): number[] {
    const names = ['setsid', 'forked', 'nohup', 'cleared', 'crew', 'held', 'daemon', 'child', 'deaf'];
    return names.flatMap((name) => {
      const path = this.file(`${name}.pid`);
      return existsSync(path) ? [Number(readFileSync(path, 'utf8'))] : [];
    });
  }
}

// What is still on its way from a shell to the program uses time and reads files: to the doctor it works.
function isSettled(pid: number): boolean {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  return !read('cmdline').includes('echo $$') && /\) S /.test(read('stat'));
}
