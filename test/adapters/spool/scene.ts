import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createHookLog, type HookLogOptions } from '../../../src/adapters/spool/hook-log.ts';
import type { Translate } from '../../../src/adapters/spool/understand.ts';
import type { HookMeaning, HookMemory } from '../../../src/core/agent/hook-memory.ts';
import { plainScript } from '../../hook/plain-script.ts';

/** What a test's hook event says: its payload is its meaning. */
export const speakPlainly: Translate = ({ event, payload }) =>
  event === 'Nothing' ? null : ({ conversation: null, ...payload } as HookMeaning);

export interface Put {
  readonly name?: string;
  readonly agent?: string;
  readonly event?: string;
  readonly at?: number;
  readonly header?: readonly string[];
  readonly payload?: HookMeaning | object | string | Buffer;
  readonly end?: string;
}

/** A spool of its own, with the hook script beside it. */
export class SpoolScene {
  readonly root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'spool-'));
  readonly folder = join(this.root, 'spool');
  readonly script = join(this.root, 'hook');
  readonly memoryFile = `${this.folder}.json`;
  #count = 0;
  // What one call may do is bounded in time, and a busy machine may stop this process for longer than that.
  readonly #clock = vi.spyOn(process, 'uptime').mockReturnValue(process.uptime());

  constructor() {
    mkdirSync(this.folder, { mode: 0o700 });
    writeFileSync(this.script, plainScript(this.folder), { mode: 0o700 });
  }

  log(options: Partial<HookLogOptions> = {}) {
    return createHookLog({
      folder: this.folder,
      translate: (kind) => (kind === 'claude' || kind === 'codex' ? speakPlainly : undefined),
      now: () => Date.now(),
      ...options,
    });
  }

  /** Puts a finished event into the spool as the script does. */
  put({ agent = 'claude', event = 'Stop', at, header = [], payload = {}, ...more }: Put = {}): string {
    this.#count += 1;
    const name = more.name ?? `${String(this.#count).padStart(16, '0')}.1.1.1`;
    const head = ['rollcall-hook=1', `agent=${agent}`, `event=${event}`, 'pid=2', 'parent_pid=1', ...header];
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    const path = join(this.folder, name);
    const end = more.end ?? `\nend=${name}\n`;
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`), Buffer.from(body), Buffer.from(end)]),
    );
    // In the middle of the millisecond: seconds as a floating-point number are not exact.
    if (at !== undefined) utimesSync(path, (at + 0.5) / 1000, (at + 0.5) / 1000);
    return name;
  }

  /** Runs the script itself; gives its exit status. */
  send(agent: string, event: string, payload: string, env: NodeJS.ProcessEnv = {}): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.script, [agent, event], { env, stdio: ['pipe', 'inherit', 'inherit'] });
      child.on('error', reject).on('close', resolve);
      child.stdin.end(payload);
    });
  }

  /** What is known once everything was taken in, which may need some calls. */
  workedOff(log = this.log()): readonly HookMemory[] {
    for (let call = 0; call < 100 && (call === 0 || this.waiting().length > 0); call += 1)
      log.about('claude');
    return log.about('claude');
  }

  /** As if the folder had not changed for so long. */
  rest(ms = 60_000): void {
    const at = (Date.now() - ms) / 1000;
    utimesSync(this.folder, at, at);
  }

  waiting(): string[] {
    return readdirSync(this.folder);
  }

  saved() {
    return JSON.parse(readFileSync(this.memoryFile, 'utf8'));
  }

  remove(): void {
    this.#clock.mockRestore();
    rmSync(this.root, { recursive: true, force: true });
  }
}
