import { helperNamed } from '../../core/sight/helper-kind.ts';
import { type Program, programOf } from '../../core/sight/program.ts';
import { commandsIn } from '../../core/sight/start-command.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { HelperKind } from '../../core/verdict/evidence.ts';
import type { AgentAdapter } from '../../ports/agent.ts';

/** What runs in a process, ready to be shown. */
export interface Named extends Program {
  readonly command: string;
  /** Works for several panes. */
  readonly isShared: boolean;
  /** What it would be by its name, which proves nothing by itself. */
  readonly helper: HelperKind | null;
}

/** Tells programs and agents from command lines, each command line once: they seldom change and looks are many. */
export interface Naming {
  program(comm: string, argv: readonly string[]): Named;
  /** The agent that a pane was started for. */
  agentStarted(startCommand: string): string | undefined;
}

const MAX_START_COMMANDS = 10_000;

export function createNaming(agents: readonly AgentAdapter[]): Naming {
  const recognise = (argv: readonly string[]): string | null =>
    agents.find((agent) => agent.recognises(argv))?.kind ?? null;
  const programs = new WeakMap<readonly string[], Named>();
  const starts = new Map<string, string | undefined>();
  return {
    program(comm, argv) {
      const known = argv.length > 0 ? programs.get(argv) : undefined;
      if (known) return known;
      const program = programOf(comm, argv, recognise);
      const command = shownCommand(argv.length > 0 ? argv : [comm], 300);
      const isShared = agents.some((agent) => agent.isShared?.(argv) ?? false);
      const name = visible(program.name, 120);
      const named = { ...program, name, command, isShared, helper: helperNamed(argv) };
      if (argv.length > 0) programs.set(argv, named);
      return named;
    },
    agentStarted(startCommand) {
      if (starts.has(startCommand)) return starts.get(startCommand);
      const kinds = commandsIn(startCommand).map(recognise);
      const kind = kinds.find((one) => one !== null) ?? undefined;
      if (starts.size >= MAX_START_COMMANDS) starts.clear();
      starts.set(startCommand, kind);
      return kind;
    },
  };
}
