import { CHECKS } from '../../core/doctor/checks/index.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { choices, list, toggle } from '../frame/flags.ts';
import { serverWords } from '../roll/take-roll.ts';
import { examine } from './examine.ts';
import { mendAll } from './mend-all.ts';

const NAMES = CHECKS.map(({ name }) => name);

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Find orphans, leftovers and wrong set-ups, and mend what is provably ours.',
  usage: [
    'rollcall doctor [flags]',
    'rollcall doctor --fix [--pid PID] [--yes | --dry-run] [--force] [flags]',
  ],
  description: [
    'Looks once at every tmux server, every process, the ledger and the machine, and runs a list of checks over what it saw. Each says what it looks at, what it found and from what it concluded that, and what could be done about it.',
    'Processes have a class. ours-orphaned: a helper of an agent (an MCP or language server, a browser that it drives) that outlived a managed session, is idle, and that nobody has. left-running: it outlived such a session, and works, was detached on purpose, or is no known helper; it is only told. belongs-to-a-live-session: a live pane has them, wherever they went. vendor-daemon-in-use: Codex and Claude Code keep daemons and background sessions that serve several panes. foreign: everything else of this user. Other users’ processes are not listed. unknown: what could tell gave no answer. Names are compared exactly, and a name alone proves nothing.',
    '--fix mends only what a check offers to mend: it ends processes that are ours-orphaned, closes sessions by the rules of rollcall close --due, settles lost sessions, and tidies rollcall’s own files. It asks for each check; without a terminal it needs --yes. A process that outlived its session and may be wanted (left-running) is ended only where --pid names it. Right before each step it looks again, and what is not so any more is left alone. Everything is recorded before and after. Sessions that match protect in the config, or that are held, and whatever they left running are never touched.',
    'Without --force nothing gets SIGKILL: what ignores SIGTERM stays, and is told of.',
    '--server narrows all of it, --fix too, to what belongs to that tmux server: its sessions, their processes, its version and options. Checks of the whole machine are then run only where --only names them.',
    'A check that could not look, or not everywhere, says so and is a warning: without tmux on PATH (cron), with a server that gives no answer, without git. The exit code is then 8, also where nothing was found.',
  ],
  flags: {
    only: choices('CHECK', NAMES, 'Run only this check. May be repeated, or a comma list.'),
    fix: toggle('Mend what can be mended.'),
    'dry-run': toggle('With --fix: say what would be done, and do nothing.'),
    pid: list(
      'PID',
      'With --fix: end this process, and mend nothing else. May be repeated, or a comma list.',
    ),
    yes: toggle('With --fix: do not ask. Needed where there is no terminal.', 'y'),
    force: toggle('With --fix: SIGKILL orphans that do not end by themselves.'),
  },
  examples: {
    'rollcall doctor': 'how healthy everything is',
    'rollcall doctor --only agent-processes,helper-processes': 'only what outlived its session',
    'rollcall doctor --fix --dry-run': 'what would be mended',
    'rollcall doctor --fix': 'mend it, asked check by check',
    'rollcall doctor --fix --pid 4711': 'end what was left running, once you know it',
    "rollcall doctor --json | jq '.checks[].findings[] | select(.fixable)'": 'for programs',
    'rollcall doctor --fix --server work': 'only what belongs to one tmux server',
  },
  exits: {
    done: 'nothing was found that matters, or all of it was mended',
    failed: 'findings are left (warning or error), or nothing could be recorded',
    usage: '--fix without a terminal and without --yes, a flag of --fix without it, or a broken config file',
    'not-found': 'no such server runs; nothing was mended',
    'infrastructure-failure':
      'something could not be looked at (tmux, a server, git, the ledger …), whatever was found elsewhere',
  },
  run: async ({ flags, surroundings }) => {
    const { fix, yes, force } = flags;
    const isDryRun = flags['dry-run'];
    if (!fix && (yes || force || isDryRun)) {
      throw new Failure('usage', '--yes, --dry-run and --force go with --fix', { hint: 'add --fix' });
    }
    const isAsked = surroundings.stdin.isTTY && surroundings.stdout.isTTY && !flags.json;
    if (fix && !yes && !isDryRun && !isAsked) {
      throw new Failure('usage', 'nothing was mended: there is no terminal to ask on', {
        hint: 'look at it with --fix --dry-run, then say --fix --yes',
      });
    }
    const pids = flags.pid.map(Number);
    if (pids.some((pid) => !Number.isSafeInteger(pid) || pid <= 1)) {
      throw new Failure('usage', `--pid: no such process: ${flags.pid.join(', ')}`, {
        hint: 'give its number',
      });
    }
    if (pids.length > 0 && !fix) throw new Failure('usage', '--pid goes with --fix', { hint: 'add --fix' });
    const servers = serverWords(flags.server, surroundings);
    const call = { flags: { ...flags, pids, servers }, surroundings };
    return fix && !isDryRun ? mendAll(call) : examine(call);
  },
});
