import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The numbers of one stat line; what is not named is 0. */
export interface FakeStat {
  readonly comm?: string | Buffer;
  readonly state?: string;
  readonly ppid?: number;
  readonly pgid?: number;
  readonly sid?: number;
  readonly ttyNumber?: number;
  readonly tpgid?: number;
  readonly utime?: number;
  readonly stime?: number;
  readonly cutime?: number;
  readonly cstime?: number;
  readonly threads?: number;
  readonly startTicks?: number;
  readonly rssPages?: number;
  readonly startStack?: number;
}

/** A stat line as Linux 6 writes it. */
export function statLine(pid: number, stat: FakeStat = {}): Buffer {
  const { state = 'S', ppid = 1, pgid = pid, sid = pid, tpgid = -1, utime = 0, stime = 0 } = stat;
  const {
    ttyNumber = 0,
    startTicks = 100,
    rssPages = 250,
    startStack = 0,
    cutime = 0,
    cstime = 0,
    threads = 1,
  } = stat;
  const fields = [
    ppid,
    pgid,
    sid,
    ttyNumber,
    tpgid,
    4194304,
    10,
    0,
    0,
    0,
    utime,
    stime,
    cutime,
    cstime,
    20,
    0,
    threads,
    0,
  ];
  const rest = `${fields.join(' ')} ${startTicks} 8650752 ${rssPages} 18446744073709551615 1 1 ${startStack} 0 0 0 0 0 0\n`;
  const comm = Buffer.isBuffer(stat.comm) ? stat.comm : Buffer.from(stat.comm ?? 'sleep');
  return Buffer.concat([Buffer.from(`${pid} (`), comm, Buffer.from(`) ${state} ${rest}`)]);
}

/** A folder that looks like /proc, readable for every user of the machine. It has a process 1 from the start. */
export class FakeProc {
  readonly root: string;

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'rollcall-proc-'));
    chmodSync(this.root, 0o755);
    this.write('stat', 'cpu  1 2 3\nintr 1 2 3\nbtime 1700000000\nprocesses 5\n');
    this.mounts('proc /proc proc rw,nosuid,relatime 0 0\n');
    this.process(1, { comm: 'init', startTicks: 1 });
  }

  write(path: string, content: string | Buffer): void {
    const whole = join(this.root, path);
    mkdirSync(join(whole, '..'), { recursive: true });
    writeFileSync(whole, content);
  }

  mounts(text: string): void {
    this.write('self/mounts', text);
  }

  process(pid: number, stat: FakeStat = {}, files: Record<string, string | Buffer> = {}): void {
    this.write(`${pid}/stat`, statLine(pid, stat));
    for (const [name, content] of Object.entries(files)) this.write(`${pid}/${name}`, content);
  }

  link(path: string, target: string): void {
    symlinkSync(target, join(this.root, path));
  }

  forbid(path: string): void {
    chmodSync(join(this.root, path), 0o000);
  }

  delete(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  remove(): void {
    chmodSync(this.root, 0o755);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Does something with the rights of an ordinary user who owns nothing: root reads also what is forbidden. */
export function asNobody<T>(act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}
