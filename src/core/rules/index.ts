import { agentUnheard } from './agent-unheard.ts';
import { agentWord } from './agent-word.ts';
import { asleep } from './asleep.ts';
import { bareShell } from './bare-shell.ts';
import { blind } from './blind.ts';
import { deadPane } from './dead-pane.ts';
import { progress } from './progress.ts';
import type { Rule } from './rule.ts';
import { runningCommand } from './running-command.ts';
import { terminalProgram } from './terminal-program.ts';

/** Every rule is asked about every pane; their order means nothing. */
export const RULES: readonly Rule[] = [
  deadPane,
  asleep,
  agentWord,
  agentUnheard,
  progress,
  runningCommand,
  terminalProgram,
  bareShell,
  blind,
];
