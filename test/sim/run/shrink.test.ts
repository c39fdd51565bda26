import { describe, expect, it } from 'vitest';
import { HOUR_MS, type Story, type StoryEvent } from '../story/story.ts';
import type { Outcome, RunStory } from './outcome.ts';
import { shrink } from './shrink.ts';
import { smallerValues } from './smaller-values.ts';
import { MOST_LINES, tell } from './tell.ts';

/** A toy: a session that works and is closed breaks a law; a session that is closed twice breaks another. */
const toy: RunStory = async ({ events }) => {
  const working = new Set<unknown>();
  const closed = new Set<unknown>();
  const broken = (law: string, event: StoryEvent): Outcome => ({
    ...{ hash: '', steps: 0, sessionHours: 0, stats: {} },
    violation: { law, sentence: '', at: event.at, text: `${event.session} was closed`, trace: ['closed'] },
  });
  for (const event of events) {
    if (event.kind === 'work') working.add(event.session);
    if (event.kind === 'rest') working.delete(event.session);
    if (event.kind !== 'close') continue;
    if (working.has(event.session)) return broken('work', event);
    if (closed.has(event.session)) return broken('twice', event);
    closed.add(event.session);
  }
  return { hash: '', steps: 0, sessionHours: 0, stats: {}, violation: null };
};

const noise: StoryEvent[] = Array.from({ length: 400 }, (_, at) => ({
  ...{ at: at * 100_003, kind: at % 3 === 0 ? 'print' : 'work', session: `s${at % 20}`, bytes: 12_345 + at },
}));

function story(...own: StoryEvent[]): Story {
  const events = [...noise.filter(({ session }) => session !== 's3'), ...own].sort((a, b) => a.at - b.at);
  return { seed: 1, sessions: 25, hours: 24, config: { reaper: 'enforce', perHour: 4 }, events };
}

const BOUNDS = { mostRuns: 2000 };

describe('the shrinker', () => {
  it('leaves only what breaks the law', async () => {
    const shrunk = await shrink(
      story(
        { at: 4_000_123, kind: 'work', session: 's3' },
        { at: 9_876_543, kind: 'close', session: 's3', afterMs: 417 },
      ),
      toy,
      BOUNDS,
    );
    expect(shrunk?.story).toMatchObject({
      ...{ sessions: 0, hours: 2, config: {} },
      events: [
        { kind: 'work', session: 's3', at: HOUR_MS },
        { kind: 'close', session: 's3', at: 2 * HOUR_MS, afterMs: 0 },
      ],
    });
    expect(shrunk?.outcome.violation.law).toBe('work');
  });

  it('never ends with another law than it began with', async () => {
    const shrunk = await shrink(
      story(
        ...[1, 2, 3].map((hour) => ({ at: hour * HOUR_MS, kind: 'close', session: 's3' })),
        { at: 4 * HOUR_MS, kind: 'work', session: 's3' },
        { at: 5 * HOUR_MS, kind: 'close', session: 's3' },
      ),
      toy,
      BOUNDS,
    );
    expect(shrunk?.outcome.violation.law).toBe('twice');
    expect(shrunk?.story.events.map(({ kind }) => kind)).toEqual(['close', 'close']);
  });

  it('keeps to its bound of runs, and gives the best until then', async () => {
    let runs = 0;
    const counted: RunStory = (one) => {
      runs += 1;
      return toy(one);
    };
    const whole = story({ at: 1, kind: 'work', session: 's3' }, { at: 2, kind: 'close', session: 's3' });
    const shrunk = await shrink(whole, counted, { mostRuns: 5 });
    expect(runs).toBe(5);
    expect(shrunk?.runs).toBe(5);
    expect(shrunk?.outcome.violation.law).toBe('work');
  });

  it('says nothing of a story that breaks no law', async () => {
    expect(await shrink(story({ at: 1, kind: 'print', session: 's3' }), toy, BOUNDS)).toBeNull();
  });
});

describe('a number', () => {
  it('becomes a plainer one, never a larger one', () => {
    expect(smallerValues(0)).toEqual([]);
    expect(smallerValues(25)).toEqual([0, 1, 10, 12, 20]);
    expect(smallerValues(2.75)).toEqual([0, 1, 2]);
  });
});

describe('a story that is told', () => {
  it('is short, and says what happened, when, and which law it breaks', async () => {
    const short = {
      ...story(),
      events: [
        { at: 61_000, kind: 'work', session: 's3' },
        { at: 3_723_045, kind: 'close', session: 's3', isForced: true, afterMs: 5 },
      ],
    };
    const violation = {
      law: 'work',
      sentence: 'work is never closed',
      at: 3_723_045,
      text: 's3 was closed at work',
      trace: Array.from({ length: 40 }, (_, at) => `step ${at}`),
    };
    const lines = tell(short, violation);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    expect(lines[0]).toBe('25 sessions, 24 h, seed 1; reaper enforce, perHour 4');
    expect(lines).toContain('  00:01:01  work: s3');
    expect(lines).toContain('  01:02:03.045  close: s3, isForced, afterMs 5');
    expect(lines.slice(-3)).toEqual([
      '  step 39',
      'broken at 01:02:03.045: s3 was closed at work',
      'the law work: work is never closed',
    ]);
  });
});
