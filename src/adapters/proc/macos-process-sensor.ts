import type { ProcessMark } from '../../core/sight/identity.ts';
import type { ProcessDetails, ProcessMarkers } from '../../core/sight/process.ts';
import { visible } from '../../core/text/visible.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { runNow } from '../programs/run-now.ts';
import {
  findMarkers,
  LIST_COLUMNS,
  type ProcessText,
  parseProcessList,
  parseTexts,
  splitArguments,
  TEXT_COLUMNS,
} from './parse-macos-ps.ts';

/** What one call of ps gave. */
export type PsAnswer =
  | { readonly state: 'printed'; readonly text: string }
  | { readonly state: 'failed'; readonly problem: string };

/**
 * Sees processes through ps, since macOS has no /proc; start marks are whole epoch seconds. Working directories,
 * storage traffic and memory shares need libproc and stay absent. Untested on a real Mac.
 */
export function createMacosProcessSensor(
  options: { readonly now?: () => number; readonly ps?: (args: readonly string[]) => PsAnswer } = {},
): ProcessSensor {
  const { now = Date.now, ps = runPs } = options;

  // ps exits with 1 when some of the pids are gone, so what it printed counts, not its status.
  const textsOf = (processes: Iterable<ProcessMark>, flags: readonly string[]) => {
    const asked = [...processes];
    if (asked.length === 0) return [];
    const answer = ps([...flags, ...TEXT_COLUMNS, '-p', asked.map(({ pid }) => pid).join(',')]);
    const texts = answer.state === 'printed' ? parseTexts(answer.text) : new Map<number, ProcessText>();
    return asked.flatMap((identity): [ProcessMark, ProcessText][] => {
      const text = texts.get(identity.pid);
      return text?.startTicks === identity.startTicks ? [[identity, text]] : [];
    });
  };

  return {
    sense() {
      const observedAt = now();
      const answer = ps(['-axww', ...LIST_COLUMNS]);
      if (answer.state === 'failed') {
        return { observedAt, byPid: new Map(), isComplete: false, problem: answer.problem, mayLackOwn: true };
      }
      const { processes, garbledLines } = parseProcessList(answer.text);
      const byPid = new Map(processes.map((process) => [process.pid, process]));
      const problems: string[] = [];
      if (garbledLines > 0) problems.push(`lines of ps that were not understood: ${garbledLines}`);
      if (!byPid.has(1)) problems.push('process 1 is not visible, so others may be hidden too');
      return problems.length === 0
        ? { observedAt, byPid, isComplete: true }
        : { observedAt, byPid, isComplete: false, problem: problems.join('; ') };
    },
    details(processes) {
      return new Map(
        textsOf(processes, ['-ww']).map(([{ pid, startTicks }, { text }]): [number, ProcessDetails] => [
          pid,
          { pid, startTicks, argv: splitArguments(text) },
        ]),
      );
    },
    markers(processes) {
      return new Map(
        textsOf(processes, ['-Eww']).map(([{ pid, startTicks }, { text }]): [number, ProcessMarkers] => [
          pid,
          { pid, startTicks, ...findMarkers(text) },
        ]),
      );
    },
    // ps does not tell what is open.
    holdersOf: () => ({ byTty: new Map(), isComplete: false }),
    pipedAmong: () => new Set(),
    readersAmong: () => new Set(),
    keepTerminals: () => new Map(),
    placesOf: () => new Map(),
    daemonSigns: () => new Map(),
    // All processes have the same mounts there.
    standsAt: () => true,
    otherPath: () => null,
    // ps prints arguments and variables in one line: a value ends at its first space.
    environment(process) {
      const [found] = textsOf([process], ['-Eww']);
      const pairs = found?.[1].text.matchAll(/(?:^| )([A-Z_][A-Z0-9_]*)=(\S*)/g) ?? [];
      return found ? Object.fromEntries([...pairs].map(([, name, value]) => [name, value])) : null;
    },
  };
}

const PS_TIMEOUT_MS = 5_000;

function runPs(args: readonly string[]): PsAnswer {
  // The C locale and UTC make start times unambiguous; a COLUMNS of the caller would cut lines off.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const { stdout, stderr, cut } = runNow(['/bin/ps', ...args], { env, timeoutMs: PS_TIMEOUT_MS });
  if (cut !== null) return { state: 'failed', problem: `ps ${cut}` };
  if (stdout.trim() === '' && stderr.trim() !== '') {
    return { state: 'failed', problem: `ps failed: ${visible(stderr.trim(), 200)}` };
  }
  return { state: 'printed', text: stdout };
}
