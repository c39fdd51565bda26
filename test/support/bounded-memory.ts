import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const V1 = '/sys/fs/cgroup/memory';
const isV1 = existsSync(`${V1}/memory.limit_in_bytes`);
const ROOT = isV1 ? V1 : '/sys/fs/cgroup';

/** Only where this user may make cgroups that bound memory, as root in a container or a virtual machine often may. */
export const mayBoundMemory = canWrite(ROOT) && (isV1 || existsSync(`${ROOT}/memory.max`));

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** A cgroup with a limit. */
export class BoundedMemory {
  readonly folder: string;

  constructor(bytes: number) {
    mkdirSync(ROOT, { recursive: true });
    this.folder = mkdtempSync(join(ROOT, 'rollcall-test-'));
    writeFileSync(`${this.folder}/${isV1 ? 'memory.limit_in_bytes' : 'memory.max'}`, String(bytes));
  }

  /** As /proc names it. */
  get scope(): string {
    return `cgroup ${isV1 ? 'v1' : 'v2'} ${this.folder.slice(ROOT.length)}`;
  }

  /** Moves a process there; whatever it starts from now on is there too. */
  enter(pid: number): void {
    writeFileSync(`${this.folder}/cgroup.procs`, String(pid));
  }

  /** The kernel removes it once nobody is in it; it lists a process no longer while the last thread still leaves. */
  async remove(): Promise<void> {
    await until('the cgroup is empty', () => {
      try {
        rmdirSync(this.folder);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
        return false;
      }
    });
  }
}
