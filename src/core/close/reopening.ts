import type { ResumeOf, Resumption, StartedAs } from '../agent/resumption.ts';
import type { RecogniseAgent } from '../sight/program.ts';
import { type KeptStart, wordsOf } from '../sight/start.ts';
import type { WindowPlan } from '../sight/window.ts';
import { shownCommand } from '../text/mask-secrets.ts';
import { isOldIn, type KeptDocument, type KeptWindow } from './kept-document.ts';
import type { KeptRepository } from './lost-folder.ts';
import { programShown } from './one-program.ts';
import { type ArchivedPane, paneIn, startedWords } from './pane-command.ts';

/** A session as it is to be made again. */
export interface Reopening {
  readonly key: string;
  readonly name: string;
  readonly socketPath: string | null;
  /** The pane that comes first was this one; absent where nothing tells. */
  readonly paneId?: string;
  /** The pane that comes first, with its program; null for a plain shell. */
  readonly cwd: string;
  readonly argv: readonly string[] | null;
  /** What a shell runs in it instead, as one line. */
  readonly line?: string;
  /** The PATH that its program was found by; absent where that is not known. */
  readonly path?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Those of its variables that were given with `--env`. */
  readonly given: Readonly<Record<string, string>>;
  /** Without the environment of whoever reopens it. */
  readonly isClean: boolean;
  /** Its pane is to stay when its program ends. */
  readonly remain: boolean;
  readonly agent: { readonly kind: string; readonly conversation: string | null } | null;
  /** The first pane's window first; none where the layout is not known. */
  readonly windows: readonly WindowPlan[];
  readonly size: { readonly columns: number; readonly rows: number } | null;
  /** Every folder that is needed. */
  readonly folders: readonly string[];
  /** What will not be as it was. */
  readonly missing: readonly string[];
  /** Of that what is about the agent alone; absent where none is resumed. */
  readonly dropped?: readonly string[];
  /** The repositories that its folders were of; absent where nothing tells of them. */
  readonly repositories?: readonly KeptRepository[];
  /** What all of this is from: an archive, or how it was last seen. */
  readonly document?: KeptDocument;
  /** The session itself stands, and only its agent is started again, beside it. */
  readonly isBeside?: true;
}

/** What an archive alone does not have. */
export interface Means {
  /** How rollcall started it. */
  readonly start?: KeptStart | null;
  readonly resumeOf?: ResumeOf;
  readonly recogniseAgent?: RecogniseAgent;
}

/**
 * What an archive says about making its session again; null where it does not say enough. The agent that is resumed like
 * this comes first, where one is named.
 */
export function reopeningOf(
  document: KeptDocument,
  resume: readonly string[] | null = null,
  means: Means = {},
): Reopening | null {
  const { key, name, server } = document.session ?? {};
  const shown = document.windows.flatMap((window) => window.panes);
  const { recogniseAgent = () => null } = means;
  const panes = document.panes.flatMap((pane) => paneIn(pane, shown, recogniseAgent, isOldIn(document)));
  const able = panes.filter(({ agent }) => agent?.resume != null);
  const isMeant = ({ agent }: ArchivedPane) => agent?.resume?.join('\0') === resume?.join('\0');
  const first = able.find(isMeant) ?? able[0] ?? panes[0];
  if (key == null || name == null || first === undefined) return null;
  const windows = windowsOf(document.windows, panes, first);
  const resumed = resumptionOf(first, means);
  const { kind, conversation = null, path, env } = first.agent ?? {};
  const start = means.start?.start ?? null;
  const cwd = first.agent === null ? (first.own.cwd ?? first.cwd) : first.cwd;
  return {
    key,
    name,
    cwd,
    windows,
    document,
    ...programOf(first, resumed, means),
    paneId: first.paneId,
    ...(path != null && { path }),
    socketPath: server?.socketPath ?? null,
    env: { ...env, ...start?.env },
    given: start?.env ?? {},
    isClean: start?.isClean ?? false,
    remain: start?.remain ?? false,
    agent: kind == null ? null : { kind, conversation },
    size: sizeIn(windows[0]?.layout),
    folders: [...new Set([cwd, ...windows.flatMap((one) => one.panes.map(({ cwd }) => cwd))])],
    ...(resumed && { dropped: resumed.dropped }),
    missing: [
      ...(resumed?.dropped ?? []),
      ...panes.flatMap((pane) => missingIn(pane, pane === first && resumed !== null)),
    ],
  };
}

/** How the agent of a pane goes on: as it was started where that is known, else by its conversation alone. */
function resumptionOf({ paneId, agent }: ArchivedPane, { start, resumeOf }: Means): Resumption | null {
  const { kind, conversation, argv, resume } = agent ?? {};
  if (resume == null) return null;
  const starts: StartedAs[] = [
    ...(start?.paneId === paneId ? [{ argv: wordsOf(start.start), cwd: start.start.cwd }] : []),
    ...(argv == null ? [] : [{ argv }]),
  ];
  const whole = kind == null || conversation == null ? null : resumeOf?.(kind, conversation, starts);
  return whole ?? { argv: resume, dropped: [] };
}

/** What comes first: the agent, or what the pane itself ran. */
function programOf(
  { paneId, agent, own }: ArchivedPane,
  resumed: Resumption | null,
  { start }: Means,
): Pick<Reopening, 'argv' | 'line'> {
  if (agent !== null || own.command === null) return { argv: resumed?.argv ?? null };
  if (start?.paneId === paneId) return { argv: wordsOf(start.start) };
  const isLine = own.command.length === 1;
  return isLine ? { argv: null, line: own.command[0] as string } : { argv: startedWords(own.command) };
}

/**
 * Leaves the agent out where no agent of that kind is known here: its command line may be any program that was once taken for
 * one.
 */
export function withKnownAgent(whole: Reopening, kinds: readonly string[]): Reopening {
  const { agent, argv, missing } = whole;
  if (agent === null || argv === null || kinds.includes(agent.kind)) return whole;
  const why = `${agent.kind} is not started again, because no such agent is known here; it ran: ${programShown(argv[0] as string)}`;
  return { ...whole, agent: null, argv: null, missing: [...missing, why] };
}

/** The agent alone, for a session that still stands: everything else of it is there. */
export function agentAlone(whole: Reopening): Reopening {
  const missing = [`only its agent is started again: session '${whole.name}' still stands`];
  return { ...whole, windows: [], folders: [whole.cwd], missing, isBeside: true };
}

/** The command line that brings back the conversation of an archived session. */
export function resumeIn(document: KeptDocument): readonly string[] | null {
  return reopeningOf(document)?.argv ?? null;
}

function windowsOf(
  windows: readonly KeptWindow[],
  panes: readonly ArchivedPane[],
  first: ArchivedPane,
): WindowPlan[] {
  const found = windows.flatMap(({ index, layout, name, isActive = false, ...window }) => {
    const shown = window.panes.flatMap(({ paneId, isActive = false }) => {
      const pane = panes.find((one) => one.paneId === paneId);
      return pane ? [{ pane, isActive }] : [];
    });
    if (index == null || layout == null || shown.length === 0) return [];
    return [
      {
        isFirst: shown.some(({ pane }) => pane === first),
        window: {
          index,
          layout,
          name: name ?? '',
          isActive,
          panes: shown.map(({ pane, isActive }) => ({ isActive, ...placeOf(pane, first) })),
        },
      },
    ];
  });
  return found.sort((a, b) => Number(b.isFirst) - Number(a.isFirst)).map(({ window }) => window);
}

// The first is started by itself, and an agent by nobody else.
function placeOf(pane: ArchivedPane, first: ArchivedPane): Omit<WindowPlan['panes'][number], 'isActive'> {
  const { command, cwd = pane.cwd } = pane.own;
  const { paneId } = pane;
  if (pane === first) return { paneId, cwd: pane.cwd, isThere: true };
  return pane.agent !== null || command === null ? { paneId, cwd: pane.cwd } : { paneId, cwd, command };
}

// A layout begins with a checksum and the size of the window: `b25d,120x30,0,0,1`.
function sizeIn(layout: string | undefined): Reopening['size'] {
  const [, columns, rows] = /^[0-9a-f]{4},(\d{1,4})x(\d{1,4}),/.exec(layout ?? '') ?? [];
  return columns === undefined ? null : { columns: Number(columns), rows: Number(rows) };
}

function missingIn({ paneId, agent, programs, own }: ArchivedPane, isResumed: boolean): string[] {
  if (agent !== null && !isResumed) {
    const { kind, resume } = agent;
    const how =
      resume == null ? 'how to resume it is not known' : `resume it with: ${shownCommand(resume, 4096)}`;
    return [`pane ${paneId}: ${kind ?? 'an agent'} is not started again; ${how}`];
  }
  const typed = programs.map((program) => `pane ${paneId}: not run again: ${program}`);
  return [...(agent === null ? own.missing : []), ...typed];
}
