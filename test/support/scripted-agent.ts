import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ON_PIPES } from './on-pipes.ts';
import { until } from './until.ts';

/**
 * How a scripted agent behaves: `leaves` at /exit; `done` answers "Done." and stays; `asks` opens a dialog; `deaf` ignores
 * SIGTERM, `clings` the end of its terminal; `child` keeps a child that outlives it, `helper` an MCP server that does, `namesake` something that only has its
 * name; `saves` leaves at /exit and has a detached process save until FILE.go is there; `lasts` the same in its terminal;
 * `lingers` leaves at /exit once FILE.go is there; `fills` when it has
 * filled the disk; `36m` takes so many MiB of memory. Several are joined by `+`.
 */
export type Manner = string;

const SCRIPT = `#!/bin/sh
how=$1 conversation=$2 file=$3
say() { echo "$$ $1 $2 $conversation" > "$file.new" && mv "$file.new" "$file"; }
case $how in *deaf*) trap '' TERM ;; esac
case $how in *clings*) trap '' HUP ;; esac
# What it starts is there before it speaks: until then it would pass for another agent, or for work.
there() { until read -r comm < "/proc/$!/comm" && [ "$comm" = sleep ]; do sleep 0.02; done; }
case $how in *child*) setsid sleep 1000 & there ;; esac
case $how in *helper*) set -m; bash -c '${ON_PIPES} exec -a mcp-server-files sleep 1000' & set +m; there ;; esac
case $how in *namesake*) setsid bash -c 'exec -a mcp-server-files sleep 1000' & there ;; esac
case $how in
  *+[0-9]*m)
    size=\${how##*+} size=\${size%m}
    # The shell takes its own text five times as fast as what comes through a pipe.
    ballast=$(head -c 1048576 /dev/zero | tr '\\0' x)
    while [ "$size" -gt 1 ]; do eval "ballast$size=\\$ballast"; size=$((size - 1)); done ;;
esac
printf '\\n  a scripted agent\\n\\n> '
say idle none
while IFS= read -r line; do
  case $line in
    /exit)
      case $how in
        *leaves*) exit 0 ;;
        *saves*)
          setsid -f sh -c ': > "$0.saving"; until [ -e "$0.go" ]; do sleep 0.05; done; : > "$0.saved"' "$file"
          until [ -e "$file.saving" ]; do sleep 0.02; done
          exit 0 ;;
        *lasts*)
          sh -c ': > "$0.saving"; until [ -e "$0.go" ]; do sleep 0.05; done; [ -t 1 ] && : > "$0.saved"' "$file" &
          until [ -e "$file.saving" ]; do sleep 0.02; done
          exit 0 ;;
        *lingers*) until [ -e "$file.go" ]; do sleep 0.05; done; exit 0 ;;
        *fills*) cat /dev/zero > "$file.filler" 2>&-; exit 0 ;;
        *asks*) say waiting permission; printf 'leave all the same? ' ;;
        *) printf 'Done.\\n> ' ;;
      esac ;;
    *) printf '%s?\\n> ' "$line" ;;
  esac
done
case $how in *clings*) while :; do sleep 1; done ;; esac
`;

/** Where the scripted agent of a folder lies; rollcall knows it where ROLLCALL_SCRIPTED_AGENT names this path. */
export function scriptedProgramIn(folder: string): string {
  return join(folder, 'bin', 'rollcall-scripted-agent');
}

/** Puts a scripted agent into a folder. */
export class ScriptedAgents {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(this.program, SCRIPT, { mode: 0o755 });
  }

  /** From now on it ends as soon as it is started. */
  breaks(): void {
    writeFileSync(this.program, '#!/bin/sh\necho no such conversation\nexit 1\n', { mode: 0o755 });
  }

  mend(): void {
    writeFileSync(this.program, SCRIPT, { mode: 0o755 });
  }

  get program(): string {
    return scriptedProgramIn(this.#folder);
  }

  /** The command line of one that behaves so. */
  argv(name: string, manner: Manner, conversation = `talk-${name}`): string[] {
    return [this.program, manner, conversation, this.file(name)];
  }

  file(name: string): string {
    return join(this.#folder, `${name}.status`);
  }

  /** Waits until it has spoken, and gives its pid. */
  async pid(name: string): Promise<number> {
    const words = await until(
      `${name} speaks`,
      () => this.#words(name),
      (found) => found.length > 2,
    );
    return Number(words[0]);
  }

  /** Has it say something else from now on. */
  async say(name: string, says: string, detail = 'none'): Promise<void> {
    const [pid = '', , , conversation = ''] = this.#words(name);
    // As it does itself: whoever reads meanwhile finds what it said before.
    const file = this.file(name);
    writeFileSync(`${file}.told`, `${pid} ${says} ${detail} ${conversation}\n`);
    renameSync(`${file}.told`, file);
  }

  /** What waits for its FILE.go goes on. */
  letGo(name: string): void {
    writeFileSync(`${this.file(name)}.go`, '');
  }

  #words(name: string): string[] {
    try {
      return readFileSync(this.file(name), 'utf8').trim().split(/\s+/);
    } catch {
      return [];
    }
  }
}
