import type { DoctorCheck } from './check.ts';
import { agentVersions } from './machine-agent-versions.ts';
import { clock } from './machine-clock.ts';
import { conversations } from './machine-conversations.ts';
import { daemon } from './machine-daemon.ts';
import { diskSpace } from './machine-disk-space.ts';
import { hooks } from './machine-hooks.ts';
import { leakedVariables } from './machine-leaked-variables.ts';
import { ledgerCheck } from './machine-ledger.ts';
import { locks } from './machine-locks.ts';
import { loginScope } from './machine-login-scope.ts';
import { pressureSignals } from './machine-pressure-signals.ts';
import { programs } from './machine-programs.ts';
import { reaper } from './machine-reaper.ts';
import { spoolLeftovers } from './machine-spool-leftovers.ts';
import { stateFolder } from './machine-state-folder.ts';
import { tmuxOptions } from './machine-tmux-options.ts';
import { tmuxVersion } from './machine-tmux-version.ts';
import { agentProcesses } from './processes-agents.ts';
import { helperProcesses } from './processes-helpers.ts';
import { zombies } from './processes-zombies.ts';
import { bareShells } from './session-bare-shells.ts';
import { deadPanes } from './session-dead-panes.ts';
import { duplicates } from './session-duplicates.ts';
import { groupedSessions } from './session-grouped.ts';
import { lostSessions } from './session-lost.ts';
import { orphanedSessions } from './session-orphaned.ts';
import { staleHolds } from './session-stale-holds.ts';
import { unmetGates } from './session-unmet-gates.ts';

/** Every check, in the order in which they are run and shown. Adding one is adding a line. */
export const CHECKS: readonly DoctorCheck[] = [
  orphanedSessions,
  deadPanes,
  bareShells,
  lostSessions,
  duplicates,
  staleHolds,
  groupedSessions,
  unmetGates,
  agentProcesses,
  helperProcesses,
  zombies,
  programs,
  tmuxVersion,
  tmuxOptions,
  loginScope,
  leakedVariables,
  locks,
  hooks,
  agentVersions,
  pressureSignals,
  reaper,
  daemon,
  ledgerCheck,
  conversations,
  diskSpace,
  clock,
  stateFolder,
  spoolLeftovers,
];
