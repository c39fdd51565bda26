import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { World } from './world.ts';

// Draws Claude Code's empty input box, says in its status file that it is idle, and leaves at /exit.
const SCRIPT = `#!/bin/bash
folder=$HOME/.claude/sessions
mkdir -p "$folder"
read -r -a stat < <(sed 's/^.*) //' /proc/$$/stat)
now=$(date +%s%3N)
cat > "$folder/$$.json" <<END
{"pid":$$,"sessionId":"$2","cwd":"$PWD","startedAt":$((now - 9000)),"procStart":"\${stat[19]}","version":"2.1.325",
"kind":"interactive","status":"idle","updatedAt":$now,"statusUpdatedAt":$now}
END
clear
rule=$(printf '─%.0s' {1..100})
printf '\\n\\n\\e[38;5;244m%s\\e[39m\\n❯ \\n\\e[38;5;244m%s\\e[39m\\n  ? for shortcuts' "$rule" "$rule"
printf '\\e[4;3H'
while IFS= read -r line; do
  [ "$line" = /exit ] && exit 0
  printf '\\e[4;3H'
done
`;

/** A program that passes for an idle Claude Code in one session of a world. */
export class ClaudeStandIn {
  readonly pid: number;
  readonly paneId: string;
  readonly conversation: string;
  readonly #world: World;
  readonly #tmux: string;

  private constructor(
    world: World,
    made: { pid: number; paneId: string },
    conversation: string,
    tmux: string,
  ) {
    [this.#world, this.#tmux, this.conversation] = [world, tmux, conversation];
    [this.pid, this.paneId] = [made.pid, made.paneId];
  }

  static async start(world: World, name: string, cwd = world.folder): Promise<ClaudeStandIn> {
    const program = join(world.folder, 'bin', 'claude');
    mkdirSync(join(world.folder, 'bin'), { recursive: true });
    writeFileSync(program, SCRIPT, { mode: 0o755 });
    const conversation = '11111111-2222-4333-8444-555555555555';
    const made = await world.session(name, 'env', '-C', cwd, program, '--session-id', conversation);
    const drawn = async () => ({
      screen: await world.screen(`=${name}:`),
      cursor: await world.tmux('display-message', '-p', '-t', `=${name}:`, '#{cursor_x},#{cursor_y}'),
    });
    // It draws line by line, and goes back into its input box at the end.
    await until(
      'it stands at its prompt',
      drawn,
      ({ screen, cursor }) => screen.includes('? for shortcuts') && cursor === '2,3',
    );
    const tmux = await world.tmux('display-message', '-p', '-t', `=${name}:`, '#{socket_path},#{pid},0');
    return new ClaudeStandIn(world, made, conversation, tmux);
  }

  /** An event of its hooks, as the hook script writes it; without its end it is half written. */
  event(event: string, payload: Readonly<Record<string, unknown>>): HookFile {
    const header = {
      ...{ 'rollcall-hook': 1, agent: 'claude', event, pid: 2, parent_pid: this.pid, TMUX: this.#tmux },
      ...{ TMUX_PANE: this.paneId, CLAUDE_PID: this.pid, CLAUDE_CODE_SESSION_ID: this.conversation },
    };
    const lines = Object.entries(header).map(([key, value]) => `${key}=${value}\n`);
    return { text: `${lines.join('')}\n${JSON.stringify({ session_id: this.conversation, ...payload })}` };
  }

  /** The end of a turn that leaves so many timers. */
  stop(timers: number): HookFile {
    const session_crons = Array.from({ length: timers }, (_, id) => ({ id, cron: '0 9 * * *' }));
    return this.event('Stop', { background_tasks: [], session_crons });
  }

  /** Puts an event into the spool. */
  send(name: string, { text }: HookFile, isWhole = true): void {
    const spool = spoolOf(this.#world);
    writeFileSync(join(spool, name), isWhole ? `${text}\nend=${name}\n` : text, { mode: 0o600 });
  }
}

export interface HookFile {
  readonly text: string;
}

/** The hooks' spool of a world. */
export const spoolOf = (world: World): string => world.inside(join(world.stateFolder, 'spool'));
