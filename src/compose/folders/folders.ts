import { dirname } from 'node:path';
import { FolderHost } from '../../adapters/folders/folder-host.ts';
import { createStartLink } from '../../adapters/folders/link.ts';
import { createMountTable } from '../../adapters/folders/mount-table.ts';
import { visible } from '../../core/text/visible.ts';
import type { Folders } from '../../ports/folders.ts';
import type { FolderLimits } from './tasks.ts';

/** The word with which rollcall starts itself to look at folders. */
export const FOLDERS_WORD = '__folders';

/** Where the folders of sessions are touched. */
export interface FolderDesk {
  /** Those that another process touches; null where nothing is mounted that may stop to answer: then nobody needs one. */
  hosted(): Folders | null;
  /** Whether a socket's folder answers; null where it lies on nothing that may stop. */
  answers(socketPath: string): Promise<boolean> | null;
  /** Starts that process, if one is needed, while there is something else to wait for. */
  warm(): void;
}

/** A look answers within three seconds, whatever git waits for. */
const QUICK_MS = 2000;
const FOLDER_MS = 1000;

const mounts = createMountTable();
let ownCommand: readonly string[] | null = null;
const desks = new Map<string, FolderDesk>();

/** Says how this program starts itself; without that, as in a program that only borrows its code, it has nobody to ask. */
export function startFoldersWith(command: readonly string[]): void {
  ownCommand = command;
}

/** The desk for one environment: everybody in this process shares it, and with it one process. */
export function folderDesk(
  env: NodeJS.ProcessEnv,
  git: Pick<FolderLimits, 'gitMs' | 'parallel'>,
): FolderDesk {
  const limits: FolderLimits = { ...git, quickMs: QUICK_MS, folderMs: FOLDER_MS };
  const words = JSON.stringify(limits);
  const known = desks.get(words) ?? makeDesk(env, words);
  desks.set(words, known);
  return known;
}

function makeDesk(env: NodeJS.ProcessEnv, words: string): FolderDesk {
  let host: FolderHost | undefined;
  let folders: Folders | undefined;
  const hostOf = (command: readonly string[]): FolderHost => {
    host ??= new FolderHost(createStartLink([...command, FOLDERS_WORD, words], env));
    return host;
  };
  const needed = (): FolderHost | null =>
    ownCommand !== null && mounts.mayStop() ? hostOf(ownCommand) : null;
  const hosted = (): Folders | null => {
    const found = needed();
    if (found === null) return null;
    folders ??= hostedFolders(found);
    return folders;
  };
  return {
    hosted,
    answers: (path) => (mounts.leadsThere(path) ? (hosted()?.isFolder(dirname(path)) ?? null) : null),
    warm: () => needed()?.warm(),
  };
}

/** Folders that a host touches. Where it gives no answer, what is said is what keeps a session from being closed. */
export function hostedFolders(host: Pick<FolderHost, 'ask'>): Folders {
  const ask = async <T>(task: keyof Folders, about: string, words: readonly unknown[], shared?: object) =>
    (await host.ask({ task, about, words, ...(shared && { shared }) })) as T;
  const asked =
    <T>(task: keyof Folders, otherwise: (text: string, path: string) => T) =>
    (path: string, ...words: readonly unknown[]): Promise<T> =>
      ask<T>(task, path, [path, ...words]).catch((error: Error) => otherwise(error.message, path));
  const unknown = (text: string) => ({ state: 'unknown', text: visible(text, 400) }) as const;
  const unmarked = (text: string) => ({ ...unknown(text), mark: '' });
  return {
    git: asked('git', (text, cwd) => ({ state: 'failed', text, cwd, observedAt: Date.now() }) as const),
    branchAt: asked('branchAt', () => null),
    treeState: asked('treeState', unknown),
    rootAround: asked('rootAround', () => null),
    isFolder: asked('isFolder', () => false),
    problemOf: asked('problemOf', (text, folder) => `${visible(folder, 500)}: ${text}`),
    isGone: asked('isGone', () => false),
    fileIn: asked('fileIn', unmarked),
    boxesIn: asked('boxesIn', unmarked),
    hear: (kind, scene, hooks) =>
      ask('hear', `process ${scene.agent.pid} ${scene.agent.startTicks}`, [kind, scene], hooks),
    todoOf: (kind, stop) =>
      ask<Awaited<ReturnType<Folders['todoOf']>>>('todoOf', `list ${kind} ${stop.conversation}`, [
        kind,
        stop,
      ]).catch((error: Error) => unknown(error.message)),
  };
}
