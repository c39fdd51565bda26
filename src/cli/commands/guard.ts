import { resolve } from 'node:path';
import type { EndedDead, GuardedSession } from '../../contract/guard-document.ts';
import { toGuardDocument, toSentinel } from '../../contract/guard-document.ts';
import { endWords } from '../../core/ended.ts';
import type { GuardNote } from '../../core/guard/notes.ts';
import { isGone } from '../../core/roll.ts';
import { visible } from '../../core/visible.ts';
import { guard } from '../../engine/guard.ts';
import type { GuardOutcome } from '../../engine/guard-watch.ts';
import type { GuardProbes } from '../../ports/guard.ts';
import { defineCommand } from '../command.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { GuardTarget } from '../guard.ts';
import { resolveGuarded } from '../guard.ts';
import { onInterrupt, pause } from '../guard-interrupt.ts';
import { guardFailure, guardLine } from '../render/guard-report.ts';
import { ONE_SESSION } from '../session-words.ts';
import type { Surroundings } from '../surroundings.ts';
import { serverWords } from '../take-roll.ts';
import { readDuration } from '../wait-duration.ts';
import { writeJson } from '../write-json.ts';

const DEFAULT_BUDGET_MS = 5000;
const BUDGET = { min: 100, max: 3_600_000 };

export const guardCommand = defineCommand({
  name: 'guard',
  summary: 'Notice at once when a session or a pane dies.',
  usage: ['rollcall guard SESSION [flags]', 'rollcall guard --pane %ID [flags]'],
  description: [
    'Watches the processes of a session’s panes twenty times a second, without starting any, and asks tmux before it calls anything dead. Within the budget it either sees a death, writes the sentinel and exits 8, or finds everything alive and exits 0. A probe that fails is never a death: a tmux server that hangs, is busy or may not be asked is told of once.',
    'Dead is: the tmux server or the session is gone, another session has taken its name, every pane that was there at the start is gone, or one of them ended other than with exit status 0 (tmux keeps such panes where remain-on-exit is set). One pane of several that is closed, moved or added by hand is told of and no failure; name it with --pane where it matters. A rename is nothing.',
    'The sentinel is a JSON file, written whole or not at all; it is never removed.',
  ],
  flags: {
    pane: {
      kind: 'word',
      placeholder: '%ID',
      help: 'Guard only this pane, wherever it moves. With --server where the id is not unique.',
    },
    budget: {
      kind: 'word',
      placeholder: 'TIME',
      default: '5s',
      help: 'How long to watch, such as 2s or 1m.',
    },
    follow: {
      kind: 'switch',
      help: 'Watch without a budget: until a death, until every pane ended in order, or Ctrl-C.',
    },
    sentinel: {
      kind: 'word',
      placeholder: 'FILE',
      isFile: true,
      help: 'Where to write what died, why, and what was last on the screens.',
    },
  },
  positional: { ...ONE_SESSION, min: 0 },
  examples: [
    { command: 'rollcall guard build', what: 'is it alive, and does it stay so for five seconds?' },
    {
      command: 'rollcall guard build --follow --sentinel BLOCKED.json &',
      what: 'beside a runner, for as long as it works',
    },
    { command: "rollcall guard --pane '%12' --server work --budget 2s", what: 'one pane of one server' },
    { command: "rollcall guard build --json | jq '.failure.why'", what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'everything lived through the budget, or ended in order' },
    {
      name: 'failed',
      when: 'nobody could tell: no probe succeeded within the budget; or tmux is not installed',
    },
    { name: 'usage', when: 'neither a session nor --pane, both, a wrong value, or a broken config file' },
    { name: 'not-found', when: 'no session or pane of this name at the start' },
    { name: 'ambiguous', when: 'several have this name; they are listed' },
    { name: 'infrastructure-failure', when: 'something that was guarded died' },
  ],
  run: async ({ flags, words, surroundings }) => {
    const target = targetOf(words[0], flags.pane);
    if (flags.follow && flags.budget !== undefined) {
      throw new Failure('usage', '--follow has no --budget', { hint: 'give one of them' });
    }
    const budgetMs =
      flags.budget === undefined ? DEFAULT_BUDGET_MS : readDuration('budget', flags.budget, BUDGET);
    const startedAt = performance.now();
    const probes = await surroundings.guardProbes(surroundings.settings.tmux.timeoutMs);
    const path = flags.sentinel === undefined ? null : resolve(surroundings.cwd, flags.sentinel);
    const say = (text: string) => surroundings.stderr.write(`! ${visible(text)}\n`);
    const early = path === null ? null : probes.sentinelProblem(path);
    if (early !== null) say(`the sentinel could not be written now: ${early}`);

    const interrupt = onInterrupt(surroundings);
    try {
      const resolved = await resolveGuarded(surroundings, {
        servers: serverWords(flags.server, surroundings.cwd),
        target,
        withinMs: budgetMs,
        signal: interrupt.signal,
        onDoubt: (text) => say(`could not tell: ${text}`),
      });
      if (resolved === null) return interrupt.exitCode();
      const notes: GuardNote[] = [];
      const outcome = await guard(
        {
          guarded: resolved.guarded,
          budgetMs: flags.follow ? null : Math.max(0, budgetMs - (performance.now() - startedAt)),
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
      return report(await knownEnd(surroundings, outcome, resolved.entry.key), resolved.entry, {
        probes,
        path,
        notes,
        isJson: flags.json,
        surroundings,
      });
    } finally {
      interrupt.release();
    }
  },
});

type Outcome = Exclude<GuardOutcome, { state: 'interrupted' }>;

const END_WAITS_MS = 2000;
const END_EVERY_MS = 50;

/** A program that rollcall started may go with its session before anybody sees how it ended: tmux has written it down. */
async function knownEnd({ look }: Surroundings, outcome: Outcome, key: string): Promise<Outcome> {
  if (outcome.state !== 'died') return outcome;
  const endsAt = performance.now() + END_WAITS_MS;
  for (;;) {
    const entry = (await look({ isWithClosed: true })).sessions.find((one) => one.key === key);
    if (entry?.lifecycle === 'closed' && entry.ended !== undefined) {
      const { cause: _, ...rest } = outcome;
      return { ...rest, state: 'ended', why: endWords(entry.ended) };
    }
    const mayTell = entry !== undefined && !isGone(entry) && entry.panes.every(({ isDead }) => isDead);
    if (!mayTell || performance.now() >= endsAt) return outcome;
    await pause(END_EVERY_MS, new AbortController().signal);
  }
}

function targetOf(word: string | undefined, paneId: string | undefined): GuardTarget {
  const hint = `usage: rollcall guard SESSION, or rollcall guard --pane %ID`;
  if (paneId === undefined) {
    if (word === undefined) throw new Failure('usage', 'guard needs a SESSION or --pane', { hint });
    return { kind: 'session', word };
  }
  if (word !== undefined) throw new Failure('usage', '--pane takes the place of SESSION', { hint });
  if (!/^%\d{1,9}$/.test(paneId)) {
    throw new Failure('usage', `--pane=${paneId} is not a pane id`, {
      hint: "write it as tmux does: --pane '%12'",
    });
  }
  return { kind: 'pane', paneId };
}

interface Reporting {
  readonly probes: GuardProbes;
  readonly path: string | null;
  readonly notes: readonly GuardNote[];
  readonly isJson: boolean;
  readonly surroundings: Surroundings;
}

// The sentinel comes first: whatever happens to the output, it is there.
function report(
  outcome: Outcome,
  session: GuardedSession,
  { probes, path, notes, isJson, surroundings }: Reporting,
): number {
  const { stdout, stderr } = surroundings;
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
