import { resolve } from 'node:path';
import {
  type EndedDead,
  type GuardedSession,
  toGuardDocument,
  toSentinel,
} from '../../contract/guard-document.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import type { GuardNote } from '../../core/guard/notes.ts';
import { visible } from '../../core/text/visible.ts';
import { guard } from '../../engine/guard/guard.ts';
import { Failure } from '../../operations/failure.ts';
import { pause } from '../../operations/pause.ts';
import type { GuardProbes } from '../../ports/guard.ts';
import { defineCommand, type Invocation } from '../frame/command.ts';
import { toggle, word, words } from '../frame/flags.ts';
import { onInterrupt } from '../frame/interrupt.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { writeJson } from '../frame/write-json.ts';
import { serverWords } from '../roll/take-roll.ts';
import { readDuration } from '../wait/wait-duration.ts';
import { knownEnd, type Outcome } from './end.ts';
import { hasEnded, type Resolved } from './gone.ts';
import { type GuardTarget, resolveGuarded } from './guard-loop.ts';
import { guardFailure, guardLine } from './report.ts';

const DEFAULT_BUDGET_MS = 5000;
const BUDGET = { min: 100, max: 3_600_000 };

export const guardCommand = defineCommand({
  name: 'guard',
  summary: 'Notice at once when a session or a pane dies.',
  usage: ['rollcall guard SESSION [flags]', 'rollcall guard --pane %ID [--pane %ID…] [flags]'],
  description: [
    'Watches the processes of a session’s panes twenty times a second, without starting any, and asks tmux before it calls anything dead. Within the budget it either sees a death, writes the sentinel and exits 8, or finds everything alive and exits 0. With --once it exits as soon as either is proven. A probe that fails is never a death: a tmux server that hangs, is busy or may not be asked is told of once.',
    'Dead means: the tmux server or the session is gone, another session has taken its name, every pane that was there at the start is gone, or one of them ended other than with exit status 0 (tmux keeps such panes where remain-on-exit is set). One pane of several that is closed, moved or added by hand is told of and no failure; name it with --pane, or all with --every-pane, where it matters. A rename does not count.',
    'What was dead before is found dead at once: a session that the ledger or a look of the last 24 hours knows, also one that rollcall closed; a pane that such a look saw; and a pane whose server has later ones. While a tmux server gives no answer that may have another session of that name, or such a pane, nothing is called dead: name another server with --server, or use the key. Only a name that nobody knows is not found.',
    'The sentinel is a JSON file, written whole or not at all; it is never removed. A file or a link to one that stands there is replaced; a device, a FIFO, a socket or a folder is refused before anything is watched.',
  ],
  flags: {
    pane: words(
      '%ID',
      'Guard only this pane, wherever it moves. May be repeated: then each of them has to live. With --server where the id is not unique.',
    ),
    'every-pane': toggle('Every pane that the session has now has to live, not only one of them.'),
    budget: word('TIME', 'How long to watch, such as 2s or 1m. 0 is --once.', { default: '5s' }),
    once: toggle(
      'Exit with the first proven answer, alive or dead; --budget is then how long that may take.',
    ),
    follow: toggle('Watch without a budget: until a death, until every pane ended in order, or Ctrl-C.'),
    sentinel: word('FILE', 'Where to write what died, why, and what was last on the screens.', {
      isFile: true,
    }),
  },
  positional: { ...ONE_SESSION, min: 0 },
  examples: {
    'rollcall guard build': 'is it alive, and does it stay so for five seconds?',
    'rollcall guard build --follow --sentinel BLOCKED.json &': 'while a runner works',
    "rollcall guard --once --pane '%7' --pane '%8'": 'before each step: do both live?',
    "rollcall guard --pane '%12' --server work --budget 2s": 'one pane of one server',
    "rollcall guard build --json | jq '.failure.why'": 'for programs',
  },
  exits: {
    done: 'everything lived through the budget, or ended in order',
    failed: 'no probe succeeded in time, a server is silent, or tmux is not installed',
    usage: 'no session and no --pane, or both; a wrong value; a broken config file',
    'not-found': 'no session or pane of this name is there, and none is known',
    ambiguous: 'several have this name; they are listed',
    'infrastructure-failure': 'something that was guarded died, or was dead already',
  },
  run: async (call) => {
    const { flags, words, surroundings } = call;
    const target = targetOf(words[0], flags.pane, flags['every-pane']);
    const { budgetMs, isOnce } = patienceOf(flags);
    const startedAt = performance.now();
    const probes = await surroundings.guardProbes(surroundings.settings.tmux.timeoutMs);
    const path = flags.sentinel === undefined ? null : resolve(surroundings.cwd, flags.sentinel);
    const say = (text: string) => surroundings.stderr.write(`! ${visible(text)}\n`);
    const obstacle = path === null ? null : probes.sentinelObstacle(path);
    if (obstacle !== null) {
      throw new Failure('usage', `--sentinel: ${obstacle}`, {
        hint: 'name a file, or a place where none is yet',
      });
    }
    const early = path === null ? null : probes.sentinelProblem(path);
    if (early !== null) say(`the sentinel could not be written now: ${early}`);

    const interrupt = onInterrupt(surroundings);
    try {
      const resolved = await resolveGuarded(surroundings, {
        servers: serverWords(flags.server, surroundings),
        target,
        withinMs: budgetMs,
        signal: interrupt.signal,
        hasEnded: (server) => hasEnded(server, probes),
        onDoubt: (text) => say(`could not tell: ${text}`),
      });
      if (resolved === null) return interrupt.exitCode();
      const notes: GuardNote[] = [];
      const { session } = resolved;
      const told = async (outcome: Outcome) =>
        report(await knownEnd(surroundings, outcome, session.key), { session, probes, path, notes }, call);
      if (resolved.state === 'dead') return await told(deadAlready(resolved, surroundings.now()));
      const outcome = await guard(
        {
          guarded: resolved.guarded,
          budgetMs: flags.follow ? null : Math.max(0, budgetMs - (performance.now() - startedAt)),
          isOnce,
          signal: interrupt.signal,
          onNote: (note) => {
            notes.push(note);
            say(note.text);
          },
          onDoubt: (text) => say(`could not tell: ${text}`),
        },
        probes,
        { at: surroundings.now, elapsedMs: () => performance.now(), pause },
      );
      if (outcome.state === 'interrupted') return interrupt.exitCode();
      return await told(outcome);
    } finally {
      interrupt.release();
    }
  },
});

function patienceOf(flags: {
  readonly follow: boolean;
  readonly once: boolean;
  readonly budget: string | undefined;
}): { readonly budgetMs: number; readonly isOnce: boolean } {
  const { budget } = flags;
  if (flags.follow && (budget !== undefined || flags.once)) {
    const other = budget === undefined ? '--once' : '--budget';
    throw new Failure('usage', `--follow has no ${other}`, { hint: 'give one of them' });
  }
  if (budget === undefined) return { budgetMs: DEFAULT_BUDGET_MS, isOnce: flags.once };
  if (/^0+(?:ms|s|m|h)?$/.test(budget)) return { budgetMs: DEFAULT_BUDGET_MS, isOnce: true };
  return { budgetMs: readDuration('budget', budget, BUDGET), isOnce: flags.once };
}

function targetOf(word: string | undefined, paneIds: readonly string[], isEvery: boolean): GuardTarget {
  const hint = `usage: rollcall guard SESSION, or rollcall guard --pane %ID`;
  if (paneIds.length === 0) {
    if (word === undefined) throw new Failure('usage', 'guard needs a SESSION or --pane', { hint });
    return { kind: 'session', word, scope: isEvery ? 'every-pane' : 'session' };
  }
  if (word !== undefined) throw new Failure('usage', '--pane takes the place of SESSION', { hint });
  if (isEvery) throw new Failure('usage', '--every-pane is for a SESSION', { hint });
  const odd = paneIds.find((paneId) => !/^%\d{1,9}$/.test(paneId));
  if (odd !== undefined) {
    throw new Failure('usage', `--pane=${odd} is not a pane id`, {
      hint: "write it as tmux does: --pane '%12'",
    });
  }
  return { kind: 'panes', paneIds };
}

function deadAlready({ name, death }: Extract<Resolved, { state: 'dead' }>, observedAt: number): EndedDead {
  const { cause, why, fates } = death;
  const panes = fates.map((fate) => ({ ...fate, screen: null }));
  return { state: 'died', observedAt, watchedMs: 0, name, cause, why, panes };
}

interface Reporting {
  readonly session: GuardedSession;
  readonly probes: GuardProbes;
  readonly path: string | null;
  readonly notes: readonly GuardNote[];
}

// The sentinel comes first: whatever happens to the output, it is there.
function report(
  outcome: Outcome,
  { session, probes, path, notes }: Reporting,
  { flags: { json: isJson }, surroundings: { stdout, stderr } }: Pick<Invocation, 'flags' | 'surroundings'>,
): number {
  if (outcome.state === 'unknown') {
    throw new Failure('failed', `could not tell whether '${outcome.name}' lives: ${outcome.why}`, {
      hint: 'nothing was called dead; rollcall explain tells more',
    });
  }
  if (outcome.state !== 'died') {
    if (isJson) writeJson(stdout, toGuardDocument(outcome, session, notes, null));
    else stdout.write(`${guardLine(outcome)}\n`);
    return 0;
  }
  const sentinel = path === null ? null : leave(outcome, session, probes, path);
  if (!isJson) throw guardFailure(outcome, sentinel);
  if (sentinel !== null && sentinel.problem !== null) {
    stderr.write(`! the sentinel could not be written: ${visible(sentinel.problem)}\n`);
  }
  writeJson(stdout, toGuardDocument(outcome, session, notes, sentinel));
  return EXIT_CODES['infrastructure-failure'].code;
}

function leave(outcome: EndedDead, session: GuardedSession, probes: GuardProbes, path: string) {
  const written = probes.writeSentinel(path, `${JSON.stringify(toSentinel(outcome, session), null, 2)}\n`);
  const problem = written.state === 'failed' ? written.text : null;
  return { path, isWritten: problem === null, problem };
}
