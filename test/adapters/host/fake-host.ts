import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders that stand for /proc, /sys and /etc of a machine. */
export class FakeHost {
  readonly folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'h-'));
  readonly procRoot = join(this.folder, 'proc');
  readonly sysRoot = join(this.folder, 'sys');
  readonly machineIdPaths = [join(this.folder, 'etc/machine-id'), join(this.folder, 'dbus/machine-id')];

  write(path: string, text: string): void {
    const whole = join(this.folder, path);
    mkdirSync(join(whole, '..'), { recursive: true });
    writeFileSync(whole, text);
  }

  delete(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
