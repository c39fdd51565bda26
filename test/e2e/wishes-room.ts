import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { END_TAIL } from '../../src/core/memory/ended.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

/** A room in which people end sessions themselves, and machines restart. */
export class WishesRoom extends RestoreRoom {
  readonly #boot = join(this.tmux.folder, 'boot');

  /** Runs commands as they would be after a reboot: always the same one. */
  inNextBoot(...commands: string[]): string {
    try {
      readFileSync(this.#boot);
    } catch {
      writeFileSync(this.#boot, readFileSync('/proc/sys/kernel/random/uuid', 'utf8'));
    }
    const script = [`mount --bind ${this.#boot} /proc/sys/kernel/random/boot_id`, ...commands].join(' && ');
    return execFileSync('unshare', ['-m', 'bash', '-c', script], { env: this.env, encoding: 'utf8' });
  }

  /** How often the ledger has an entry of that kind. */
  async noted(action: string): Promise<number> {
    return (await this.done('log', '--json')).split(`"${action}"`).length - 1;
  }

  async lostNames(): Promise<string[]> {
    const { sessions } = await this.restore('--dry-run', ...this.server);
    return sessions.map(({ name }) => name).sort();
  }

  /** One agent fewer runs. */
  async ends(how: () => Promise<unknown>): Promise<void> {
    const before = this.running().length;
    await how();
    await until('its agent is gone', () => this.running().length === before - 1);
  }

  pidOf(id: string): number {
    return this.running().find(({ argv }) => argv.includes(id))?.pid as number;
  }

  async gone(name: string): Promise<void> {
    await until(
      `session ${name} is gone`,
      () => this.names(),
      (names) => !names.includes(name),
    );
  }

  /** A session of the person's own, that was adopted. */
  async adopted(name: string): Promise<string> {
    const id = crypto.randomUUID();
    await this.tmux.session(name, 'env', `HOME=${this.home}`, this.claude, '--session-id', id);
    await until('it can be heard', () => this.spoken(id));
    await this.done('adopt', this.at(name));
    return id;
  }

  /** Waits until so many ends are written down, and has them be so many seconds earlier. */
  async endsWritten(number: number, seconds = 0): Promise<void> {
    await until('the ends are written down', async () => {
      // tmux may miss the end of a program until another one ends.
      await this.tmux.tmux('run-shell', '-b', 'true');
      return this.#setEndsBack(seconds) === number;
    });
  }

  #setEndsBack(seconds: number): number {
    const folder = join(this.state, 'rollcall', 'ends');
    const whole = readdirSync(folder)
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))
      .filter(({ text }) => text.includes(END_TAIL));
    for (const { path, text } of whole)
      writeFileSync(
        path,
        text.replace(/^time (\d+)/m, (_, at) => `time ${at - seconds}`),
      );
    return whole.length;
  }

  configure(onBoot: string): void {
    const config = join(this.tmux.folder, 'rollcall.json');
    writeFileSync(config, JSON.stringify({ restore: { onBoot }, daemon: { port: 0 } }));
    Object.assign(this.env, { ROLLCALL_CONFIG: config });
  }
}
