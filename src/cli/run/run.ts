import { toActedDocument } from '../../contract/roll-document.ts';
import { RUNNER_NAME } from '../../core/lock/subject.ts';
import { isGone } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import { type StartedRun, startProgram } from '../../operations/run.ts';
import { endText } from '../../operations/run-failure.ts';
import { CLAIM_FLAGS, claimsIn } from '../declare/claim-flags.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand, type Invocation } from '../frame/command.ts';
import { choice, toggle, word, words } from '../frame/flags.ts';
import { showText } from '../render/show.ts';
import { serverWords } from '../roll/take-roll.ts';
import { runLock } from './lock.ts';
import { PROGRAM_WORDS, requireProgram } from './program-words.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Start a session that rollcall manages.',
  usage: ['rollcall run [--name NAME] [--role ROLE] [flags] -- PROGRAM [ARGUMENT…]'],
  description: [
    'Starts the program in a detached tmux session, never through a shell, and looks whether it lives. Records before what it is about to do, and afterwards which session it became. The session does not depend on this command or its terminal.',
    'It is started on the tmux server that this command runs in, else on the default one; --server names another, which is started if it does not run.',
    'The program has the environment of this command. Not taken over: variables by which agents mark what they start (CLAUDECODE, CODEX_THREAD_ID …), those about this terminal (TERM, COLUMNS …), and those that tmux sets itself (TMUX, SHELL, PWD). --env adds to it. With --clean-env the program has what tmux gives to any new session: the environment of its server, your PATH, and what update-environment names.',
    'How the program ends is known whoever looks: tmux itself writes down its exit status or signal and its last lines. Ended with 0, or after rollcall complete, the session has finished: it gets a receipt, and rollcall --all lists it. Ended otherwise, it is stale until somebody closes or reopens it.',
    'Agents are started so that they can be told apart: Claude Code gets a conversation id of its own, Codex runs without the daemon that it would share with others. What the command line says already is left as it is, and --plain adds nothing.',
  ],
  flags: {
    name: word('NAME', 'The session’s name; otherwise the program’s, with a number where that is taken.'),
    ...CLAIM_FLAGS,
    cwd: word('DIR', 'Where it runs; here otherwise.', { isFile: true }),
    env: words(
      'NAME[=VALUE]',
      'A variable for the program; without a value, the one that it has here, which then stands in no command line. Its name is recorded. May be repeated.',
    ),
    'clean-env': toggle(
      'Leave out the environment of this command; only what the tmux server has, and --env.',
    ),
    lock: toggle('At most one per project: the program runs behind rollcall lock, for as long as it lives.'),
    'lock-name': word('N', 'Which of several locks of the project.', { default: RUNNER_NAME }),
    remain: toggle('Keep the pane with its last screen when the program ends.'),
    'on-collision': choice(
      'WHAT',
      ['fail', 'suffix'],
      'What to do when the name is taken: refuse, or append -2, -3 …',
      { default: 'fail' },
    ),
    guard: toggle(
      'Stay and watch over it, as rollcall guard --follow does: 0 when it ends with status 0, 8 when it dies.',
    ),
    plain: toggle('Start the program exactly as it is written.'),
  },
  positional: PROGRAM_WORDS,
  examples: {
    'rollcall run --name build -- claude': 'an agent in a session of its own',
    'rollcall run --role worker --task ISSUE-12 --cwd ~/shop --lock -- codex': 'a worker, one per project',
    "rollcall run --json -- claude | jq -r '.key'": 'for programs',
    'rollcall run --guard --remain -- ./runner.sh': 'and watch over it',
  },
  exits: {
    done: 'the session is there and its program lives, or it has ended with status 0 already',
    failed:
      'it could not be recorded or started, or the program ended at once other than with 0: how, and its last screen, are shown',
    usage: 'no program behind --, a wrong value, or a broken config file',
    refused: 'a session has this name; who it is is shown',
    'not-found': 'with --lock: the project’s folder does not exist',
    'lock-held': 'with --lock: the project’s lock is held; pid, task and since when are named',
    'infrastructure-failure': 'with --guard: it died later',
  },
  run: async (invocation) => {
    const { flags, words, surroundings } = invocation;
    requireProgram('run', words, surroundings.argv);
    if (flags['lock-name'] !== undefined && !flags.lock) {
      throw new Failure('usage', '--lock-name needs --lock', { hint: 'give both, or neither' });
    }
    const [server, ...others] = serverWords(flags.server, surroundings);
    if (others.length > 0) {
      throw new Failure('usage', 'a session is started on one server', { hint: 'give --server once' });
    }
    const { name, cwd, env, remain, plain } = flags;
    const wish = {
      ...{ ...claimsIn(flags), program: words, name, cwd, env, server, remain, plain },
      ...{ cleanEnv: flags['clean-env'], onCollision: flags['on-collision'] },
    };
    const started = await startProgram(wish, atHere(surroundings, flags), {
      ...(flags.lock && { lock: runLock(surroundings, flags) }),
      onLeftOut: (left) =>
        surroundings.stderr.write(
          `! ${visible(left.join(', '))}: not UTF-8, so the program does not get it\n`,
        ),
    });
    const { entry, host, end } = started;
    const document = toActedDocument('started', entry, host);
    showText(invocation, document, `${visible(startedText(started))}\n`);
    if (end !== null) return end.exitStatus === 0 ? 0 : 1;
    return flags.guard ? watchOver(started, invocation) : 0;
  },
});

function startedText({ name, entry, end }: StartedRun): string {
  if (isGone(entry)) return `${name}: ${entry.reasons[0]?.text ?? 'it has ended'}`;
  const over = end === null ? '' : `, and ended already: ${endText(end)}`;
  return `${name}: started as ${entry.sessionId} on ${entry.server.label}${over}`;
}

/** The guard's own command, on exactly this session. */
async function watchOver({ key, name }: StartedRun, invocation: Invocation): Promise<number> {
  const { guardCommand } = await import('../guard/guard.ts');
  const flags = {
    ...invocation.flags,
    ...{ pane: [], 'every-pane': false, once: false, budget: undefined, sentinel: undefined },
    ...{ follow: true, server: [] },
  };
  try {
    return await guardCommand.run({ ...invocation, flags, words: [key] });
  } catch (error) {
    if (!(error instanceof Failure) || !['not-found', 'failed'].includes(error.code)) throw error;
    // It was there a moment ago, and may have ended before it was found again.
    const { sessions } = await invocation.surroundings.look({ isWithClosed: true });
    const entry = sessions.find((one) => one.key === key);
    if (entry?.lifecycle === 'closed' && entry.ended !== undefined) return 0;
    if (error.code === 'failed' && (entry === undefined || !isGone(entry))) throw error;
    throw new Failure('infrastructure-failure', `'${name}' died before anybody could watch over it`, {
      details: entry?.reasons.slice(0, 1).map(({ text }) => text) ?? [],
    });
  }
}
