import { kind, MINUTE, SECOND, time } from '../kind.ts';

/** Its own status follows the truth some seconds late, or not at all. */
const status = kind(
  (rng) => ({
    lateMs: rng.chance(0.3) ? -1 : time(rng, 200, 12 * SECOND),
    forMs: time(rng, 10 * SECOND, 60 * MINUTE),
  }),
  ({ lateMs, forMs }, spot) => {
    const { agent } = spot;
    if (agent === undefined) return false;
    if (lateMs < 0) agent.shows.status = false;
    else agent.lags.status = lateMs;
    spot.after(forMs, () => {
      [agent.shows.status, agent.lags.status] = [true, 0];
      agent.redraw();
    });
  },
);

/** Its title stays as it is. */
const title = kind(
  (rng) => ({ forMs: time(rng, 10 * SECOND, 120 * MINUTE) }),
  ({ forMs }, spot) => {
    const { agent } = spot;
    if (agent === undefined) return false;
    agent.shows.title = false;
    spot.after(forMs, () => {
      agent.shows.title = true;
      agent.redraw();
    });
  },
);

/** Its screen cannot be read: half drawn, scrolled, or full of something else. */
const garbled = kind(
  (rng) => ({
    how: rng.pick(['half', 'scrolled', 'noise'] as const) as string,
    forMs: time(rng, SECOND, 60 * MINUTE),
  }),
  ({ how, forMs }, spot) => {
    const { agent } = spot;
    if (agent === undefined || agent.pane.isDead) return false;
    const { pane } = agent;
    const lines =
      how === 'half'
        ? pane.screen.lines.slice(1)
        : how === 'scrolled'
          ? ['', '', ...pane.screen.lines.slice(0, 1)]
          : ['\u001b[', '%%%'];
    agent.shows.screen = false;
    pane.server.show(pane, { lines, cursor: { x: 0, y: 0 } });
    spot.after(forMs, () => {
      agent.shows.screen = true;
      agent.redraw();
    });
  },
);

/** Its spinner or its clock draws although it rests. */
const flicker = kind(
  (rng) => ({ forMs: time(rng, 5 * SECOND, 30 * MINUTE) }),
  ({ forMs }, spot) => {
    const { agent } = spot;
    if (agent === undefined || agent.pane.isDead) return false;
    const { pane } = agent;
    pane.server.show(pane, { printingSinceMs: spot.machine.clock.ms });
    spot.after(forMs, () => {
      if (agent.isAlive) agent.redraw();
    });
  },
);

/** What becomes of its hooks for a while. */
const hooks = kind(
  (rng) => ({
    fate: rng.pick(['lost', 'twice', 'late', 'mixed'] as const) as string,
    lateMs: time(rng, 100, 90 * SECOND),
    forMs: time(rng, 5 * SECOND, 60 * MINUTE),
  }),
  ({ fate, lateMs, forMs, at }, spot) => {
    const { agent, machine } = spot;
    if (agent === undefined) return false;
    const rng = machine.rng.fork(`hooks ${at}`);
    const late = { lateMs };
    agent.mayHooksMislead = true;
    agent.fateOfHook = () => {
      const now = fate === 'mixed' ? rng.pick(['sent', 'lost', 'twice', 'late'] as const) : fate;
      return now === 'late' ? late : (now as 'sent' | 'lost' | 'twice');
    };
    spot.after(forMs, () => {
      agent.fateOfHook = () => 'sent';
    });
  },
);

/** Events wait in the spool that nobody has been able to read. */
const unheard = kind(
  (rng) => ({ forMs: time(rng, 5 * SECOND, 30 * MINUTE) }),
  ({ forMs }, spot) => {
    const { spool } = spot.machine.installs.get('home') ?? {};
    if (spool === undefined || spool.unheard.length > 0) return false;
    spool.unheard = [{ text: 'an event that is damaged', of: 'anyone' }];
    spot.after(forMs, () => {
      spool.unheard = [];
    });
  },
);

/** The last record of its transcript is not finished: it tells of a turn that runs, or of the one before. */
const transcript = kind(
  (rng) => ({ forMs: time(rng, SECOND, 10 * MINUTE) }),
  ({ forMs }, spot) => {
    const turns = spot.agent?.conversation?.turns;
    const last = turns?.at(-1);
    if (last === undefined || !last.isOver) return false;
    last.isOver = false;
    spot.after(forMs, () => {
      if (turns?.at(-1) === last && spot.agent?.truth.turn !== 'running') last.isOver = true;
    });
  },
);

export const SHOWN = {
  'status-late': status,
  'title-stuck': title,
  'screen-garbled': garbled,
  'screen-flickers': flicker,
  hooks,
  'hooks-unheard': unheard,
  'transcript-half': transcript,
} as const;
