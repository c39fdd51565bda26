import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHookConfig } from '../../../src/adapters/hook-config/hook-config.ts';
import type { HookConfigOptions } from '../../../src/adapters/hook-config/options.ts';
import type { HookAction, HookAgent, HookScope } from '../../../src/ports/hook-config.ts';

export const NOW = Date.UTC(2026, 10, 15, 8, 0, 0);

/** A home folder with a project in it, and the hook config that sees them. */
export class HookRoom {
  readonly root = mkdtempSync(join(tmpdir(), 'rollcall-hooks-'));
  readonly home = join(this.root, 'home');
  readonly project = join(this.home, 'code/project');
  readonly spool = join(this.home, '.local/state/rollcall/spool');
  readonly gate = join(this.home, '.local/state/rollcall/gate');
  readonly backups = join(this.home, '.local/state/rollcall/hook-backups');
  readonly script = join(this.home, '.local/share/rollcall/hook.sh');
  readonly claude = join(this.home, '.claude/settings.json');
  readonly codex = join(this.home, '.codex/hooks.json');
  readonly gemini = join(this.home, '.gemini/settings.json');
  readonly opencode = join(this.home, '.config/opencode/plugin/rollcall.ts');

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true });
    mkdirSync(join(this.home, '.local/state/rollcall'), { recursive: true });
  }

  config(parts: Partial<HookConfigOptions> = {}) {
    return createHookConfig({
      env: { HOME: this.home, PATH: '/nowhere' },
      cwd: this.project,
      now: () => NOW,
      // Nobody else writes here, unless a test does so in this very moment.
      pause: () => {},
      findWriter: () => null,
      backups: { folder: this.backups, kept: 10 },
      spoolFolder: this.spool,
      spoolProblem: null,
      script: '#!/bin/sh\nexit 0\n',
      events: {
        claude: ['SessionEnd', 'Stop'],
        codex: ['Interrupt', 'Stop'],
        gemini: ['AfterAgent'],
        opencode: ['session.idle', 'chat.message', 'tool.execute.before', 'dispose'],
      },
      stopEvents: { claude: 'Stop', codex: 'Stop', gemini: 'AfterAgent', opencode: 'session.idle' },
      gate: { folder: this.gate, node: process.execPath, program: '/opt/rollcall/dist/rollcall.cjs' },
      ...parts,
    });
  }

  /** Plans and carries out. */
  do(
    action: HookAction,
    agents: readonly HookAgent[],
    scope: HookScope = 'user',
    parts?: Partial<HookConfigOptions>,
  ) {
    const config = this.config(parts);
    const plan = config.plan(action, agents, scope);
    return { plan, applied: config.apply(plan) };
  }

  /** The backups of a file, by what their names end in, the first one first. */
  backupsOf(path: string): string[] {
    const prefix = `${path.replaceAll('/', '%')}.`;
    return this.names(this.backups)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .sort();
  }

  backup(path: string, name: string): string {
    return join(this.backups, `${path.replaceAll('/', '%')}.${name}`);
  }

  names(folder: string): string[] {
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  write(path: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  read(path: string): string | null {
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  mode(path: string): number {
    return statSync(path).mode & 0o7777;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
