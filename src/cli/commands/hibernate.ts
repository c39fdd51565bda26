import { toCloseDocument } from '../../contract/close-document.ts';
import type { CloseWish } from '../../core/close/decide.ts';
import { planAll } from '../../engine/act/close/plan.ts';
import { boundedTimings, CLOSE_TIMINGS } from '../../engine/act/close/timings.ts';
import { withHands } from '../act/with-hands.ts';
import { closeAll } from '../close/close-all.ts';
import { worstExit } from '../close/report.ts';
import { allNamed } from '../close/sessions-named.ts';
import { defineCommand } from '../command.ts';
import { isColor } from '../is-color.ts';
import { showProgress } from '../render/close-progress.ts';
import { closeLines } from '../render/close-report.ts';
import { printLines } from '../render/line.ts';
import { sessionsMeant } from '../select-session.ts';
import { SESSIONS } from '../session-words.ts';
import { requireTmux, serverWords, takeRoll } from '../take-roll.ts';
import { readDuration } from '../wait-duration.ts';
import { writeJson } from '../write-json.ts';

const TIMEOUT = { min: 1000, max: 3_600_000 };

export const hibernateCommand = defineCommand({
  name: 'hibernate',
  summary: 'Let an idle agent leave to free memory; its session stays, and wakes on Enter.',
  usage: ['rollcall hibernate SESSION… [flags]'],
  description: [
    'Asks for the same proof as rollcall close, and leaves the session: nothing may be lost, and the conversation has to be known and resumable. The agent leaves by its own exit, or SIGTERM where it stays. In its pane waits a small shell program, the sleeper. It shows what sleeps, since when and how much memory came back. Enter there wakes it, and so does rollcall wake. Windows and other panes stay as they are.',
    'Before anything is done everything is kept as for a close, and a receipt tells of it: where the tmux server ends meanwhile, rollcall reopen makes the session again. The sleeper needs no daemon, and works on after an upgrade of rollcall.',
    'A shell that the agent was started from ends: the sleeper takes its place, and then the agent itself. A session with several agents cannot sleep. Nothing is ever forced.',
  ],
  flags: {
    'dry-run': { kind: 'switch', help: 'Say what would be done, and do nothing.' },
    despite: {
      kind: 'choices',
      placeholder: 'CODE',
      values: ['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained'],
      help: 'Set a protection aside. May be repeated, or a comma list.',
    },
    timeout: {
      kind: 'word',
      placeholder: 'TIME',
      default: '1m',
      help: 'How long all of it may take, such as 20s or 5m; then it gives up, and the agent stays.',
    },
    reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for the receipt.' },
  },
  positional: SESSIONS,
  examples: [
    { command: 'rollcall hibernate build', what: 'if nothing would be lost' },
    { command: 'rollcall hibernate build --dry-run', what: 'what would be done' },
    { command: 'rollcall --activity=asleep', what: 'everything that sleeps' },
  ],
  exits: [
    { name: 'done', when: 'it sleeps, or slept already' },
    { name: 'failed', when: 'a step did not do what it should, or it could not be recorded' },
    { name: 'usage', when: 'no session, a wrong value, or a broken config file' },
    {
      name: 'refused',
      when: 'something would be lost or is not known, no agent or several run in it, it is protected, or something changed on the way',
    },
    { name: 'not-found', when: 'no session has this name, or it went away by itself' },
    { name: 'ambiguous', when: 'several sessions have this name; they are listed, and nothing is done' },
    { name: 'timed-out', when: 'the time was over: it was not seen at rest for long enough' },
  ],
  run: async ({ flags, words, surroundings }) => {
    const { stdout, stderr } = surroundings;
    const wish: CloseWish = {
      ...{ isForced: false, despite: flags.despite, isAutomatic: false, isToSleep: true },
    };
    const mostMs =
      flags.timeout === undefined ? CLOSE_TIMINGS.decideMs : readDuration('timeout', flags.timeout, TIMEOUT);
    return withHands(surroundings, async (hands) => {
      const roll = await takeRoll(
        { ...surroundings, look: hands.look },
        serverWords(flags.server, surroundings),
        (sessions) => words.flatMap((word) => sessionsMeant(sessions, word)),
        { isWithClosed: true },
      );
      requireTmux(roll);
      const entries = allNamed(roll, words, 'nothing was put to sleep');
      const say = (report: Parameters<typeof closeLines>[0]) => {
        const lines = closeLines(report, stdout.columns, {
          isDryRun: flags['dry-run'],
          done: 'put to sleep',
        });
        if (!flags.json) stdout.write(printLines(lines, isColor(flags, surroundings)));
      };
      let reports: Awaited<ReturnType<typeof closeAll>>;
      if (flags['dry-run']) {
        reports = planAll(hands, roll, entries, wish);
        reports.forEach(say);
      } else {
        reports = await closeAll(hands, {
          ...{ entries, wish, reason: flags.reason ?? null, argv: surroundings.argv },
          timings: boundedTimings(CLOSE_TIMINGS, mostMs),
          onProgress: showProgress(stderr, {
            isColor: isColor(flags, { ...surroundings, stdout: stderr }),
            isAlone: entries.length === 1,
          }),
          onReport: say,
        });
      }
      if (flags.json) writeJson(stdout, toCloseDocument(surroundings.now(), flags['dry-run'], reports));
      return worstExit(reports);
    });
  },
});
