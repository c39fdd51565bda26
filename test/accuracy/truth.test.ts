import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../accuracy/model/request-log.ts';
import { createRequestLog } from '../../accuracy/model/request-log.ts';
import type { Sample } from '../../accuracy/sample.ts';
import { judge, latencyMs } from '../../accuracy/sample.ts';
import type { Truth } from '../../accuracy/truth.ts';
import { createTimeline, truthDuring } from '../../accuracy/truth.ts';
import { endOf } from '../../accuracy/turns.ts';

const working: Truth = { state: 'working', activity: 'working', mayClose: false };
const idle: Truth = { state: 'idle', activity: 'idle', mayClose: true };
const changing: Truth = { state: 'changing', activity: null, mayClose: true };

function sample(at: number, activity: 'working' | 'idle'): Sample {
  return {
    ...{ lane: 'l', session: 's', startedAt: at, endedAt: at + 50, reasons: [], blockers: [] },
    ...{ word: null, screen: '', title: '', rival: null },
    said: { activity, waitingFor: null, lifecycle: 'active' },
  };
}

function request(more: Partial<RequestRecord>): RequestRecord {
  return {
    id: 1,
    tag: 'k1',
    role: 'turn',
    receivedAt: 0,
    endedAt: 1000,
    isAborted: false,
    nudges: 0,
    remembered: [],
    model: 'scripted',
    called: null,
    ...more,
  };
}

describe('the truth over time', () => {
  it('is what was marked last, also when it was marked afterwards', () => {
    const timeline = createTimeline();
    timeline.mark(1000, working);
    timeline.mark(9000, changing);
    timeline.mark(5000, idle);
    const at = (time: number) => truthDuring(timeline.marks(), time, time + 50);
    expect(at(500)).toBeNull();
    expect(at(3000)).toMatchObject({ mark: { truth: working }, isSettling: false });
    expect(at(5500)).toMatchObject({ mark: { truth: idle }, isSettling: true });
    expect(at(9500)).toBeNull();
  });

  it('is settling during a look in which it changed', () => {
    const marks = [
      { at: 1000, truth: working },
      { at: 5020, truth: idle },
    ];
    expect(truthDuring(marks, 5000, 5050)).toMatchObject({ mark: { truth: working }, isSettling: true });
  });

  it('gives the time from a change to the first right verdict', () => {
    const marks = [
      { at: 1000, truth: working },
      { at: 5000, truth: idle },
    ];
    const judged = judge([sample(3000, 'working'), sample(5200, 'working'), sample(6500, 'idle')], marks);
    expect(judged.map(({ score, isSettling }) => [score, isSettling])).toEqual([
      ['right', false],
      ['wrong', true],
      ['right', false],
    ]);
    expect(judged.map((one) => latencyMs(judged, one.mark))).toEqual([2050, 1550, 1550]);
  });
});

describe('the requests of an order', () => {
  it("are its own and its subagents', and no other order's", () => {
    const log = createRequestLog();
    for (const tag of ['k1', 'k1-sub', 'k10', null]) log.add(request({ tag }));
    expect(log.of('k1').map(({ tag }) => tag)).toEqual(['k1', 'k1-sub']);
  });
});

describe('the end of a turn', () => {
  it('is the last answer, once nothing has followed it for a while', () => {
    const records = [request({ called: 'Bash' }), request({ id: 2, receivedAt: 4000, endedAt: 5000 })];
    expect(endOf(records, 5500)).toBeNull();
    expect(endOf(records, 6500)).toBe(5000);
  });

  it('has not come while a tool runs, an answer goes on, or a subagent does', () => {
    expect(endOf([request({ called: 'Bash' })], 60_000)).toBeNull();
    expect(endOf([request({ endedAt: null })], 60_000)).toBeNull();
    const sub = request({ id: 2, tag: 'k1-sub', endedAt: null });
    expect(endOf([request({ called: 'spawn_agent' }), sub, request({ id: 3 })], 60_000)).toBeNull();
  });

  it('waits for the check that an agent makes after its answer, not for a title asked later', () => {
    const check = request({ id: 2, role: 'side', receivedAt: 1100, endedAt: 1400 });
    const title = request({ id: 3, role: 'side', receivedAt: 1900, endedAt: 9000 });
    expect(endOf([request({}), check, title], 20_000)).toBe(1400);
  });
});
