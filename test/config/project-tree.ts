import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A home folder with files of a test's own. */
export class ProjectTree {
  readonly root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'config-'));

  get home(): string {
    return this.folder('home');
  }

  get env(): Record<string, string> {
    return { HOME: this.home };
  }

  folder(...parts: string[]): string {
    const path = join(this.root, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Writes a file: text as it is, anything else as JSON. */
  file(path: string, content: unknown): string {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
    return whole;
  }

  /** The user's own file, in its usual place. */
  userFile(content: unknown): string {
    return this.file('home/.config/rollcall/config.json', content);
  }

  /** A repository below home with a project file. */
  projectFile(content: unknown): string {
    this.folder('home/repo/.git');
    return this.file('home/repo/.rollcall.json', content);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
