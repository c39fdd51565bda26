import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClosingRoom } from '../engine/act/closing-room.ts';
import { until } from '../support/until.ts';

// Notes how it was started, keeps a transcript, and, as Claude Code, resumes only what has one. With HOME/slow it begins, and
// fails once HOME/fail is there.
const SCRIPT = `#!/bin/bash
words=("$@")
for ((at = 0; at < $#; at++)); do
  case \${words[at]} in
    --session-id) id=\${words[at + 1]} ;;
    --resume) id=\${words[at + 1]} resumed=yes ;;
  esac
done
transcript=$HOME/.claude/projects/p/$id.jsonl
if [ -e "$HOME/slow" ]; then until [ -e "$HOME/fail" ]; do sleep 0.05; done; exit 1; fi
if [ -n "$resumed" ] && [ ! -e "$transcript" ]; then echo "No conversation found with session ID: $id"; exit 1; fi
mkdir -p "\${transcript%/*}"
printf '{"type":"user","sessionId":"%s","message":"the quick brown fox, %s"}\\n' "$id" $$ >> "$transcript"
{
  printf 'argv=%s\\n' "$0 $*"
  printf '%s=%s\\n' pid $$ cwd "$PWD" TOKEN "$TOKEN" CALLER "$CALLER"
} > "$HOME/started.new" && mv "$HOME/started.new" "$HOME/started"
while read -r line; do [ "$line" = /exit ] && exit 0; done
sleep 1000
`;

/** How it was started last. */
export interface Noted {
  readonly argv: string;
  readonly pid: string;
  readonly cwd: string;
  readonly TOKEN: string;
  readonly CALLER: string;
}

/** A program that passes for Claude Code by its command line, in a room whose HOME is its own. */
export class ClaudeProgram {
  readonly home: string;
  readonly path: string;

  constructor(room: ClosingRoom) {
    this.home = join(room.tmux.folder, 'home');
    this.path = join(room.tmux.folder, 'opt', 'bin', 'claude');
    mkdirSync(this.home);
    mkdirSync(join(room.tmux.folder, 'opt', 'bin'), { recursive: true });
    writeFileSync(this.path, SCRIPT, { mode: 0o755 });
    Object.assign(room.env, { HOME: this.home, CALLER: 'first' });
  }

  /** Waits until it has started, another time than before. */
  async started(before?: Noted): Promise<Noted> {
    return until(
      'it has started',
      () => this.#noted(),
      (noted) => noted?.pid !== undefined && noted.pid !== before?.pid,
    ) as Promise<Noted>;
  }

  transcript(id: string): string {
    return join(this.home, '.claude', 'projects', 'p', `${id}.jsonl`);
  }

  /** A file by which it is told what to do. */
  set(name: 'slow' | 'fail', isThere: boolean): void {
    if (isThere) writeFileSync(join(this.home, name), '');
    else rmSync(join(this.home, name));
  }

  #noted(): Partial<Noted> | null {
    try {
      const lines = readFileSync(join(this.home, 'started'), 'utf8').trimEnd().split('\n');
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
    } catch {
      return null;
    }
  }
}
