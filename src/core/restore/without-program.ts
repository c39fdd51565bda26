import { runsItsOwn } from '../close/left-running.ts';
import {
  afterCarriers,
  commandShown,
  onlyShows,
  programInLine,
  programInWords,
  programShown,
} from '../close/one-program.ts';
import type { Reopening } from '../close/reopening.ts';
import { isUsual, programName, type RecogniseAgent } from '../sight/program.ts';
import { isLock } from '../sight/start-command.ts';

/**
 * Puts a shell in the place of a program that is no agent. It ran when its server went: a part of its work may be done, and it
 * may start an agent with its first prompt. Bringing everything back must not run it twice.
 */
export function withoutProgram(whole: Reopening): Reopening {
  const { argv, line, ...rest } = whole;
  const words = argv ?? (line === undefined ? [] : [line]);
  const one = argv === null ? programInLine(line ?? '') : programInWords(argv);
  if (!runsItsOwn(whole) || onlyShows(one, words)) return whole;
  const text = `${commandShown(words)} is not started again, because a part of its work may be done; --programs starts it`;
  return { ...rest, argv: null, missing: [...whole.missing, text] };
}

/**
 * Puts a shell in the place of an agent that a script had launched (`./prepare.sh -- claude`): the script may do its work again,
 * and without it the agent may lack the sandbox that it was given.
 */
export function withoutLauncher(
  whole: Reopening,
  recogniseAgent: RecogniseAgent,
  isProgram: (path: string) => boolean,
): Reopening {
  const { agent, argv } = whole;
  if (agent === null || argv === null || recogniseAgent(argv) !== null) return whole;
  const before = argv.slice(0, argv.indexOf('--') + 1);
  const worker = workBefore(before, isProgram);
  if (worker === null) return whole;
  const talk = agent.conversation === null ? '' : ` (conversation ${agent.conversation})`;
  const text = `${agent.kind}${talk} is not started again, because ${programShown(worker)} may do work before it; --programs starts both`;
  return { ...whole, agent: null, argv: null, missing: [...whole.missing, text] };
}

// They set up where and how a program runs, and do no work of their own.
const LAUNCHERS: ReadonlySet<string> = new Set(
  (
    'bwrap firejail sandbox-exec nsjail unshare nsenter chroot proot setpriv sudo doas runuser systemd-run prlimit taskset chrt ' +
    'ionice numactl stdbuf setarch script caffeinate op doppler aws-vault chamber dotenv dotenvx infisical envchain sops mise ' +
    'direnv flox nix uv poetry pipenv npx bunx npm pnpm yarn fnm distrobox toolbox docker podman kubectl apptainer singularity ' +
    'flatpak flatpak-spawn ssh mosh'
  ).split(' '),
);

// Of these only `exec` launches; any other word may be a task of one's own (`npm run prepare -- claude`).
const TASK_RUNNERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'mise']);
const LAUNCHES = /^(?:exec|x|dlx)$/;
const SCRIPT = /\.(?:(?:ba|z|fi|k)?sh|[cm]?[jt]s|py|rb|pl|lua|php)$/;

/**
 * The program before an agent's own words that may do work of its own, which is not to be done twice: a script by its path, or
 * one that a launcher is given (`sudo ./prepare.sh -- claude`). Null where all of them only launch the agent: `rollcall lock … --`,
 * what sets variables or priority, a known sandbox or container. `isProgram`: whether a path is that of a program.
 */
export function workBefore(before: readonly string[], isProgram: (path: string) => boolean): string | null {
  const [start] = before;
  if (start === undefined || isLock(before)) return null;
  if (!isUsual(start)) return start;
  const [launcher, task = ''] = afterCarriers(before);
  if (launcher !== undefined && !isLauncher(programName(launcher), task)) return launcher;
  return before.find((word) => SCRIPT.test(word) || (!isUsual(word) && isProgram(word))) ?? null;
}

function isLauncher(name: string, task: string): boolean {
  return LAUNCHERS.has(name) && (!TASK_RUNNERS.has(name) || LAUNCHES.test(task));
}
