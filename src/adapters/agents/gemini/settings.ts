import { dirname, join } from 'node:path';
import { tryOr } from '../../../core/try-or.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { createFileCache } from '../../files/file-mark.ts';
import { asObject } from '../../files/json-object.ts';
import { namesIn } from '../../files/look.ts';
import { createBrief } from '../common/brief.ts';
import { agentFolder } from '../common/files-below.ts';
import { readEnd } from '../common/read-file.ts';

/** A server that Gemini starts by itself and keeps: it is no work that it left behind. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What rollcall must know of the settings that a Gemini runs with. */
export interface GeminiSettings {
  /** It keeps no title: whatever stands there is older, or someone else's. */
  readonly isTitleHidden: boolean;
  readonly servers: readonly ServerCommand[];
  /** Settings that are there and could not be read, in words. */
  readonly problem?: string;
}

const SYSTEM_FOLDER =
  process.platform === 'darwin' ? '/Library/Application Support/GeminiCli' : '/etc/gemini-cli';
const MAX_BYTES = 262_144;
const MAX_EXTENSIONS = 200;
const MAX_KEPT = 2_000;
const RECHECK_MS = 5_000;

/**
 * Reads the settings of an agent, found through its own home and folder: those of the system, the user and the project,
 * and what its extensions bring. They are asked again after a while, and read again only where they have changed.
 */
export function createSettingsReader(): (process: AgentProcess, now: number) => GeminiSettings {
  const read = createFileCache(MAX_KEPT, parse);
  const brief = createBrief<GeminiSettings>(MAX_KEPT, RECHECK_MS);

  return (agent, now) => {
    const environment = agent.env();
    const home = environment && agentFolder(environment, 'GEMINI_CLI_HOME', '');
    const system = environment?.GEMINI_CLI_SYSTEM_SETTINGS_PATH || join(SYSTEM_FOLDER, 'settings.json');
    const key = JSON.stringify([home, system, agent.cwd]);
    const folders = [home, agent.cwd].filter((folder) => typeof folder === 'string');
    const defaults =
      environment?.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || join(dirname(system), 'system-defaults.json');
    return brief(key, now, () => {
      const paths = [
        system,
        defaults,
        ...folders.map((folder) => join(folder, '.gemini', 'settings.json')),
        ...folders.flatMap((folder) => extensionsIn(join(folder, '.gemini', 'extensions'))),
      ];
      return together(paths.map((path) => read(path) ?? NOTHING));
    });
  };
}

const NOTHING: GeminiSettings = { isTitleHidden: false, servers: [] };

function together(found: readonly GeminiSettings[]): GeminiSettings {
  const problem = found.find((one) => one.problem !== undefined)?.problem;
  return {
    isTitleHidden: found.some((one) => one.isTitleHidden),
    servers: found.flatMap((one) => one.servers),
    ...(problem !== undefined && { problem }),
  };
}

function extensionsIn(folder: string): string[] {
  return namesIn(folder)
    .slice(0, MAX_EXTENSIONS)
    .map((name) => join(folder, name, 'gemini-extension.json'));
}

function parse(path: string): GeminiSettings {
  const read = readEnd(path, MAX_BYTES);
  if (read.state === 'absent') return NOTHING;
  if (read.state === 'failed') return { ...NOTHING, problem: read.text };
  if (read.isCut) return { ...NOTHING, problem: `${path} is too large to be read` };
  // Not only when it parses: a file that is half written, or of an unknown form, hides the title as well.
  const isTitleHidden = /"hideWindowTitle"\s*:\s*(?!false\b)\S/.test(read.text);
  return tryOr({ isTitleHidden, servers: [], problem: `${path} is not JSON` }, () => {
    const parsed = JSON.parse(withoutComments(read.text)) as unknown;
    return { isTitleHidden, servers: serversIn(parsed) };
  });
}

/** Gemini allows comments in its settings. One pass, so that no file can make it slow. */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    if (text[at] === '"') at = endOfString(text, at);
    else if (two === '//' || two === '/*') {
      kept.push(text.slice(from, at));
      const stop = two === '//' ? '\n' : '*/';
      const end = text.indexOf(stop, at + 2);
      from = end === -1 ? text.length : end + stop.length;
      at = from - 1;
    }
  }
  return [...kept, text.slice(from)].join(' ');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function serversIn(settings: unknown): ServerCommand[] {
  const servers = asObject(asObject(settings)?.mcpServers) ?? {};
  return Object.values(servers).flatMap((server) => {
    const { command, args: given } = asObject(server) ?? {};
    if (typeof command !== 'string' || command === '') return [];
    return [{ command, args: Array.isArray(given) ? given.filter((word) => typeof word === 'string') : [] }];
  });
}
