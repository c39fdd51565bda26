import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dwelling } from './habitat.ts';
import { NotReached } from './until.ts';

/** What is done to a stop event between the agent and rollcall's hook. */
export type Doctoring = 'empty' | 'rotated' | 'garbage' | 'untmuxed' | 'twice' | 'timed';

/** The hook script of a dwelling, to be tampered with and put back. */
export interface HookFile {
  /** Puts something between the agent and the hook for the time of `work`. */
  doctored<T>(how: Doctoring, work: () => Promise<T>): Promise<T>;
  deleted<T>(work: () => Promise<T>): Promise<T>;
  /** Has the hook call another program in rollcall's place. */
  calling<T>(program: string, work: () => Promise<T>): Promise<T>;
  /** How long the last hook that was timed took, in ms. */
  lastTook(): number;
}

export function hookFileIn({ home, folder }: Dwelling): HookFile {
  const path = join(home, '.local', 'share', 'rollcall', 'hook.sh');
  const real = join(folder, 'bin', 'real-hook.sh');
  const times = join(folder, 'bin', 'hook-times');
  const replaced = async <T>(text: string | null, work: () => Promise<T>): Promise<T> => {
    const whole = readFileSync(path, 'utf8');
    writeFileSync(real, whole, { mode: 0o755 });
    if (text === null) rmSync(path);
    else put(path, text);
    try {
      return await work();
    } finally {
      put(path, whole);
    }
  };
  return {
    doctored: (how, work) => replaced(wrapper(how, real, times), work),
    deleted: (work) => replaced(null, work),
    calling(program, work) {
      const text = readFileSync(path, 'utf8');
      const changed = text.replace(/^program=.*$/m, `program='${program}'`);
      if (changed === text) throw new NotReached('the hook script names no program');
      return replaced(changed, work);
    },
    lastTook() {
      const all = existsSync(times) ? readFileSync(times, 'utf8').trim().split('\n') : [];
      const [from, to] = (all.at(-1) ?? '').split(' ').map(Number);
      if (from === undefined || to === undefined) throw new NotReached('no hook was timed');
      return (to - from) / 1e6;
    },
  };
}

// Never half-written while an agent calls it.
function put(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(`${path}.new`, text);
  chmodSync(`${path}.new`, 0o755);
  renameSync(`${path}.new`, path);
}

const NO_ONE = '00000000-0000-4000-8000-000000000000';

function wrapper(how: Doctoring, real: string, times: string): string {
  const id = (value: string) => `sed 's/"session_id": *"[^"]*"/"session_id":"${value}"/' | '${real}' "$@"`;
  const bodies: Readonly<Record<Doctoring, string>> = {
    empty: id(''),
    rotated: id(NO_ONE),
    garbage: `cat >/dev/null; printf '{"session_id":' | '${real}' "$@"`,
    untmuxed: `unset TMUX TMUX_PANE; exec '${real}' "$@"`,
    twice: [
      'payload=$(cat)',
      `printf %s "$payload" | '${real}' "$@" >'${times}.one' &`,
      `printf %s "$payload" | '${real}' "$@" >'${times}.two'`,
      'wait',
      `if [ -s '${times}.one' ]; then cat '${times}.one'; else cat '${times}.two'; fi`,
    ].join('\n'),
    timed: [
      'from=$(date +%s%N)',
      `'${real}' "$@"`,
      `printf '%s %s\\n' "$from" "$(date +%s%N)" >>'${times}'`,
    ].join('\n'),
  };
  return `#!/bin/sh\ncase $2 in Stop | AfterAgent) ;; *) exec '${real}' "$@" ;; esac\n${bodies[how]}\nexit 0\n`;
}
