import type { SessionEntry } from '../../core/sight/roll.ts';
import type { GitSighting } from '../../core/sight/sighting.ts';
import { spoken } from '../../core/text/duration.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { Shortfall } from '../../core/verdict/declared.ts';
import type { Requirement, RolePolicy } from '../../core/verdict/policy.ts';
import { lastLineOf, uncommitted, unpushed, type WorkLack } from '../../core/verdict/work-lacks.ts';
import type { CommandEnd, RunCommand } from '../../ports/command-runner.ts';

type Repository = Extract<GitSighting, { state: 'repository' }>;

/**
 * What the contract of a role asks for and does not get. What cannot be told is not met. The session has to be one that
 * was looked at thoroughly: its evidence holds what git says about every pane's folder.
 */
export async function contractBlockers(
  { requires, commands, commandTimeoutMs }: Pick<RolePolicy, 'requires' | 'commands' | 'commandTimeoutMs'>,
  session: SessionEntry,
  run: RunCommand,
): Promise<readonly Shortfall[]> {
  const blockers = gitBlockers(requires, session);
  const cwd = folderOf(session);
  for (const argv of commands) {
    const words = shownCommand(argv, LONGEST_COMMAND);
    if (cwd === null) {
      blockers.push({ code: 'command-failed', text: `${words}: the session's folder is not known` });
      continue;
    }
    const end = await run(argv, { cwd, timeoutMs: commandTimeoutMs });
    if (end.state === 'exited' && end.exitCode === 0) continue;
    const text = `${words}: ${howItEnded(end, commandTimeoutMs)}${lastLineOf(end.output)}`;
    blockers.push({ code: 'command-failed', text });
  }
  return blockers;
}

const LONGEST_COMMAND = 120;

function gitBlockers(requires: readonly Requirement[], { evidence }: SessionEntry): Shortfall[] {
  if (requires.length === 0) return [];
  const seen = evidence.flatMap((piece) => (piece.kind === 'git' ? [piece.facts] : []));
  const failed = [
    ...seen.flatMap((facts) => (facts.state === 'failed' ? [facts.text] : [])),
    ...evidence.flatMap((piece) =>
      piece.kind === 'sensor-unavailable' && piece.source === 'git' ? [piece.text] : [],
    ),
  ];
  const repositories = new Map(
    seen.flatMap((facts) => (facts.state === 'repository' ? [[facts.root, facts] as const] : [])),
  );
  return requires.flatMap((requirement) => {
    const code = `not-${requirement}`;
    const [unknown] = failed;
    if (unknown !== undefined) return [{ code, text: `${requirement} cannot be told: ${visible(unknown)}` }];
    if (repositories.size === 0) return [{ code, text: 'no pane is in a git repository' }];
    return [...repositories.values()].flatMap((facts) => {
      const lack = LACKS[requirement](facts);
      return lack === null ? [] : [{ code, text: visible(`${lack.text} in ${facts.root}`) }];
    });
  });
}

const LACKS: Readonly<Record<Requirement, (facts: Repository) => WorkLack | null>> = {
  clean: uncommitted,
  pushed: unpushed,
};

/** Where the session works: the pane that has the keyboard. */
function folderOf({ panes }: SessionEntry): string | null {
  return panes.find(({ isActive }) => isActive)?.cwd ?? panes[0]?.cwd ?? null;
}

function howItEnded(end: CommandEnd, timeoutMs: number): string {
  switch (end.state) {
    case 'exited':
      return `exit status ${end.exitCode}`;
    case 'killed':
      return `ended by ${end.signal}`;
    case 'timed-out':
      return `not done within ${spoken(timeoutMs)}`;
    case 'not-started':
      return 'could not be started';
  }
}
