import { toRollDocument } from '../../contract/roll-document.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Look } from '../../engine/look/look.ts';
import { Failure } from '../../operations/failure.ts';
import { requireTmux } from '../../operations/look-for.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';

/** The label under which a demo that is kept can be found again. */
const KEPT_LABEL = 'rollcall-demo';
const SETTLE_MS = 8000;
const POLL_MS = 250;

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'See a full roll within seconds, on a private tmux server.',
  usage: ['rollcall demo [--keep | --stop] [flags]'],
  description: [
    'Starts a tmux server of its own with scripted programs in every state, shows the roll of it, and removes everything again. Your own sessions are not touched.',
    'With --keep it goes on, so that you can try the other commands on it. It prints a variable: set it in your shell, and they know the scripted agents. In the demo, what an exited agent left counts as a leftover after a second, so that you need not wait a minute.',
  ],
  flags: {
    keep: toggle('Leave the demo running, to try the other commands on it.'),
    stop: toggle('End a demo that was left running.'),
  },
  examples: {
    'rollcall demo': 'what a full roll looks like',
    'rollcall demo --keep': 'leave it running and look around',
    'rollcall explain auth-worker': 'why one of its sessions may be closed',
    'rollcall demo --stop': 'end it again',
  },
  exits: {
    done: 'the demo was shown, kept or ended',
    failed: 'tmux is not installed, or the demo could not be started',
    usage: 'an unknown flag, or --keep together with --stop',
    refused: 'a server of that name runs; with --stop: somebody added something to it',
    'not-found': '--stop, and no demo runs',
  },
  run: async ({ flags, surroundings }) => {
    if (flags.keep && flags.stop) throw new Failure('usage', '--keep and --stop exclude each other');
    const label = labelOf(flags.server, flags.keep || flags.stop, surroundings);
    const theatre = await surroundings.theatre();
    if (flags.stop) {
      const end = await theatre.strike(label);
      if (end === null)
        throw new Failure('not-found', 'no demo is running', { hint: 'start one with rollcall demo --keep' });
      if (end.state === 'kept') {
        throw new Failure('refused', `these are not the demo's own and stay: ${end.sessions.join(', ')}`, {
          hint: `everything else of the demo is gone; tmux -L ${label} attach shows what is left`,
        });
      }
      surroundings.stdout.write('The demo is over: its tmux server and all its programs are gone.\n');
      return 0;
    }
    const setUp = await theatre.setUp(label);
    if (setUp.state === 'refused') throw new Failure('refused', setUp.text, { hint: setUp.hint });
    const { stage, look } = setUp;
    const ignored = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
      surroundings.onSignal(signal, () => void stage.close()),
    );
    let isKept = false;
    try {
      requireTmux(await look());
      surroundings.stderr.write('Setting the stage: a dozen sessions on a private tmux server …\n');
      await stage.open();
      const roll = await settled(look, surroundings.now);
      if (flags.json) writeJson(surroundings.stdout, toRollDocument(roll));
      else
        await show(
          roll,
          surroundings,
          isColor(flags, surroundings),
          flags.keep ? { label, agent: stage.agent } : null,
        );
      isKept = flags.keep;
      return 0;
    } finally {
      if (!isKept) await stage.close();
      for (const forget of ignored) forget();
    }
  },
});

function labelOf(servers: readonly string[], isKept: boolean, { now }: Surroundings): string {
  const [label = isKept ? KEPT_LABEL : `${KEPT_LABEL}-${now()}`] = servers;
  if (/^[\w.-]{1,60}$/.test(label)) return label;
  throw new Failure('usage', `--server=${label} is not a label for a new tmux server`, {
    hint: 'letters, digits, dots, dashes and underscores, as tmux -L takes them',
  });
}

// The cast needs a moment: programs that play a crash must have ended, and what was left must have rested.
async function settled(look: Look, now: () => number): Promise<Roll> {
  const deadline = now() + SETTLE_MS;
  for (;;) {
    const roll = await look();
    const count = (lifecycle: string) => roll.sessions.filter((one) => one.lifecycle === lifecycle).length;
    const isComplete = count('safe-to-close') >= 2 && count('stale') >= 2 && count('unknown') === 1;
    if (isComplete || now() > deadline) return roll;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function show(
  roll: Roll,
  { stdout, now }: Surroundings,
  isColored: boolean,
  kept: { readonly label: string; readonly agent: string } | null,
): Promise<void> {
  const { renderRoll } = await import('../roll/render-roll.ts');
  const text = renderRoll(roll, { columns: stdout.columns, isColor: isColored, now: now() });
  const { label, agent } = kept ?? { label: '', agent: '' };
  const next = kept
    ? [
        'The demo goes on. Its agents are scripts, which rollcall believes only where their path is named. Try:',
        `  export ROLLCALL_SCRIPTED_AGENT='${agent}'`,
        `  rollcall --server=${label}`,
        `  rollcall explain auth-worker`,
        `  tmux -L ${label} attach -t =notes`,
        `  rollcall demo --stop${label === KEPT_LABEL ? '' : ` --server=${label}`}`,
      ]
    : ['That was a private tmux server, and it is gone. To look around in it: rollcall demo --keep'];
  stdout.write(`${text.trimEnd()}\n\n${next.join('\n')}\n`);
}
