import type { StartedAs } from '../agent/resumption.ts';
import type { Claims } from '../ledger/current-facts.ts';
import { plain } from '../ledger/json.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { WindowLayout } from '../sight/window.ts';
import type { ClosingPane } from './closing-pane.ts';
import type { KeptDocument } from './kept-document.ts';

/** A variable that is kept of an agent's environment, because without it the agent would be another one. */
interface Kept {
  readonly name: string | RegExp;
  readonly why: string;
}

/**
 * What is kept of an agent's environment. Everything else is not: keys and tokens live there, PATH belongs to the login,
 * and what an agent or tmux sets by itself is set again.
 */
const KEPT_ENVIRONMENT: readonly Kept[] = [
  { name: 'HOME', why: 'agents keep settings and conversations below it' },
  { name: 'SHELL', why: 'agents run their tools with it' },
  { name: 'LANG', why: 'language and encoding of what it prints' },
  { name: /^LC_[A-Z]+$/, why: 'the same, part by part' },
  { name: 'TZ', why: 'times in what it writes' },
  { name: 'COLORTERM', why: 'how it draws' },
  { name: 'EDITOR', why: 'what it opens for a person' },
  { name: 'VISUAL', why: 'the same' },
  { name: /^XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME$/, why: 'where opencode and others keep conversations' },
  { name: 'CLAUDE_CONFIG_DIR', why: 'where Claude Code keeps settings and conversations' },
  { name: 'CODEX_HOME', why: 'where Codex keeps settings and conversations' },
  { name: 'GEMINI_CLI_HOME', why: 'where Gemini CLI keeps settings and conversations' },
  { name: /^OPENCODE_CONFIG(?:_DIR)?$/, why: 'which settings opencode reads' },
  { name: 'ROLLCALL_CONFIG', why: 'which settings rollcall reads when the agent calls it' },
];

/** The part of an environment that is kept. */
export function keptEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}

function isKept(name: string): boolean {
  return KEPT_ENVIRONMENT.some((kept) =>
    typeof kept.name === 'string' ? kept.name === name : kept.name.test(name),
  );
}

/** What is kept of a session beside what the look saw of it. */
export interface ArchiveParts {
  readonly id: string;
  readonly at: number;
  readonly entry: SessionEntry;
  readonly panes: readonly ClosingPane[];
  readonly windows: readonly WindowLayout[];
  readonly startedAs: ReadonlyMap<number, StartedAs>;
  /** Environments of the agents, by pid. */
  readonly environments: ReadonlyMap<number, Readonly<Record<string, string>>>;
  /** Panes whose history was longer than what is kept. */
  readonly cut: ReadonlySet<string>;
  readonly claims: Claims | null;
}

/** Everything that is kept of a session but what its panes show, as one document. */
export function archiveDocument(parts: ArchiveParts): KeptDocument {
  const { id, at, entry, claims } = parts;
  const { key, name, sessionId, createdAt, server, agent, evidence } = entry;
  const { activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks } = entry;
  const document = {
    version: 1,
    ...{ id, at },
    session: { key, name, sessionId, createdAt, server },
    ...{ agent, claims },
    windows: parts.windows,
    panes: entry.panes.map((pane) => ({ ...pane, ...paneParts(pane.paneId, parts) })),
    git: evidence.filter((piece) => piece.kind === 'git').map(({ facts }) => facts),
    verdict: { activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks },
    evidence,
  };
  return plain(document) as KeptDocument;
}

function paneParts(paneId: string, { panes, startedAs, environments, cut }: ArchiveParts): object {
  const pane = panes.find((one) => one.paneId === paneId);
  const agent = pane?.agent ?? null;
  const told = pane?.told ?? null;
  const { cwd } = (agent && startedAs.get(agent.pid)) ?? {};
  // What launched it was started by somebody; the agent itself may have been started anew, with options of its own.
  const started = agent && (pane?.launchers[0] ?? agent);
  const { argv = null } = (started && startedAs.get(started.pid)) ?? {};
  const env = environments.get(agent?.pid ?? -1) ?? {};
  return {
    isHistoryCut: cut.has(paneId),
    processes: pane?.processes.map((note) => ({ ...note, ...startedAs.get(note.pid) })) ?? [],
    agent: agent && {
      kind: agent.agentKind,
      version: told?.agentVersion,
      conversation: told?.conversation,
      transcript: told?.transcript,
      resume: told?.resume,
      ...{ argv, cwd, path: env.PATH },
      env: keptEnvironment(env),
    },
  };
}
