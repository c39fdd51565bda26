import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Ran } from '../support/command.ts';
import { until } from '../support/until.ts';
import { LOADED_MS } from './resting.ts';
import type { World } from './world.ts';

/** Stops at its first call that fits, says so, and goes on when it is let. */
const WRAPPER = `#!/bin/sh
me=\${0##*/}
case "$me $*" in
  $GATE_AFTER) : > "$GATE/after" ;;
esac
case "$me $*" in
  $GATE_AT)
    if { [ -z "$GATE_AFTER" ] || [ -e "$GATE/after" ]; } && mkdir "$GATE/reached" 2>/dev/null; then
      while [ ! -e "$GATE/go" ]; do sleep 0.02; done
    fi ;;
esac
PATH=\${PATH#*:}
exec "$me" "$@"
`;

/**
 * A gate in the way of one rollcall: the first tmux or git command that fits a shell pattern waits in it, so that something
 * can happen at exactly that moment.
 */
export class Gate {
  readonly #world: World;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** `at` and `after` are patterns for a whole command line; only what comes after `after` is stopped. */
  constructor(world: World, name: string, at: string, after = '') {
    this.#world = world;
    this.#folder = join(world.folder, `gate-${name}`);
    const programs = join(this.#folder, 'bin');
    mkdirSync(programs, { recursive: true });
    for (const program of ['tmux', 'git']) writeFileSync(join(programs, program), WRAPPER, { mode: 0o755 });
    this.#env = {
      GATE: this.#folder,
      GATE_AT: at,
      GATE_AFTER: after,
      PATH: [programs, world.env.PATH].join(delimiter),
    };
  }

  /** Runs rollcall, does something when it stands in the gate, and lets it go on. */
  async rollcall(argv: readonly string[], meanwhile: () => Promise<unknown>): Promise<Ran> {
    const running = this.#world.rollcall(argv, this.#env);
    let isOver = false;
    running.finally(() => {
      isOver = true;
    });
    await until(
      'rollcall stands in the gate, or ended without it',
      () => isOver || this.isReached,
      Boolean,
      LOADED_MS,
    );
    if (this.isReached) {
      await meanwhile();
      this.open();
    }
    return running;
  }

  get isReached(): boolean {
    return existsSync(join(this.#folder, 'reached'));
  }

  open(): void {
    writeFileSync(join(this.#folder, 'go'), '');
  }
}
