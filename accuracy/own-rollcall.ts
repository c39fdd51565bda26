import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Dwelling } from './habitat.ts';
import { NotReached } from './until.ts';

/** What a rollcall command printed as JSON, and its exit code. */
export interface Answer {
  readonly code: number;
  readonly document: Record<string, unknown>;
}

/** Calls the built rollcall as a person in a dwelling would, with a configuration of its own. */
export type AskRollcall = (...argv: string[]) => Promise<Answer>;

/** The same where only success will do. */
export type Rollcall = (...argv: string[]) => Promise<Record<string, unknown>>;

export function askRollcallIn({ env, folder, work }: Dwelling, settings: unknown): AskRollcall {
  const config = join(folder, 'rollcall.json');
  writeFileSync(config, JSON.stringify(settings));
  const options = {
    cwd: work,
    env: { ...env, ROLLCALL_CONFIG: config },
    timeout: 150_000,
    maxBuffer: 64 * 1024 * 1024,
  };
  return (...argv) =>
    new Promise((done, fail) => {
      const words = [resolve('dist/rollcall.cjs'), ...argv];
      execFile(process.execPath, words, options, (error, stdout, stderr) => {
        const document = parsed(stdout);
        const code = error === null ? 0 : error.code;
        if (document !== null && typeof code === 'number') done({ code, document });
        else fail(new NotReached(failure(argv, stderr.trim() || (error?.message ?? 'no JSON'))));
      });
    });
}

export function rollcallIn(dwelling: Dwelling, settings: unknown): Rollcall {
  const ask = askRollcallIn(dwelling, settings);
  return async (...argv) => {
    const { code, document } = await ask(...argv);
    if (code !== 0) throw new NotReached(failure(argv, JSON.stringify(document)));
    return document;
  };
}

function failure(argv: readonly string[], why: string): string {
  return `rollcall ${argv.join(' ')}: ${why}`;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
