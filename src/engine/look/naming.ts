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

const MAX_KEPT = 10_000;
/** Longer texts are seldom the same, and would take much memory. */
const LONGEST_KEPT = 2000;

export function createNaming(agents: readonly AgentAdapter[]): Naming {
  const recognise = (argv: readonly string[]): string | null =>
    agents.find((agent) => agent.recognises(argv))?.kind ?? null;
  // By its object, which stays the same from look to look, and by its words: many panes run the same.
  const byObject = new WeakMap<readonly string[], Named>();
  const byWords = keptByText((text) => {
    const [comm = '', ...argv] = text.split('\0');
    const program = programOf(comm, argv, recognise);
    const command = shownCommand(argv.length > 0 ? argv : [comm], 300);
    const isShared = agents.some((agent) => agent.isShared?.(argv) ?? false);
    return { ...program, name: visible(program.name, 120), command, isShared, helper: helperNamed(argv) };
  });
  return {
    program(comm, argv) {
      const known = argv.length > 0 ? byObject.get(argv) : undefined;
      if (known) return known;
      const named = byWords([comm, ...argv].join('\0'));
      if (argv.length > 0) byObject.set(argv, named);
      return named;
    },
    agentStarted: keptByText((startCommand) => {
      const kinds = commandsIn(startCommand).map(recognise);
      return kinds.find((one) => one !== null) ?? undefined;
    }),
  };
}

/** What is made of a text, made once for each that is not long. */
function keptByText<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    if (kept.has(text)) return kept.get(text) as T;
    const made = make(text);
    if (text.length > LONGEST_KEPT) return made;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, made);
    return made;
  };
}
