import { describe, expect, it } from 'vitest';
import { closingPanes, isRestful, running, runningItself } from '../../../src/core/close/closing-pane.ts';
import { nextRung, plannedRungs, type Rung, whyNotAsk } from '../../../src/core/close/ladder.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  deadPane,
  exitedAgent,
  idleAgent,
  NOW,
  named,
  note,
  onPane,
  pane,
  processes,
  shell,
  sleepingAgent,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

const panesOf = (evidence: readonly Evidence[]) => closingPanes(entry(evidence), NOW.at);
const paneOf = (evidence: readonly Evidence[]) => {
  const [first] = panesOf(evidence);
  if (!first) throw new Error('no pane');
  return first;
};
const next = (evidence: readonly Evidence[], tried: Rung[] = [], isForced = false) =>
  nextRung(panesOf(evidence), new Set(tried), { isForced });

describe('the panes of a session that is to be closed', () => {
  it('know their agent by its own word, and what launched it', () => {
    const launcher = agent({ pid: 250 });
    const inner = agent({ pid: 300, parentPid: 250 });
    const found = paneOf(withPieces(idleAgent(), processes([shell(), launcher, inner])));
    expect(found).toMatchObject({
      agent: { pid: 300 },
      launchers: [{ pid: 250 }],
      told: { conversation: 'c-1' },
    });
  });

  it('know an agent without a word by what it relaunched itself as', () => {
    const notes = [
      shell(),
      agent({ pid: 250 }),
      agent({ pid: 300, parentPid: 250 }),
      agent({ pid: 9, parentPid: 8 }),
    ];
    const found = paneOf([pane(), processes(notes)]);
    expect(found).toMatchObject({ agent: { pid: 300 }, word: null, told: null });
  });

  it('know their agent by the process that it names, whatever else of its kind runs beside it', () => {
    const found = paneOf(withPieces(idleAgent(), processes([shell(), agent({ pid: 250 }), agent()])));
    expect(found).toMatchObject({ agent: { pid: 300 }, launchers: [] });
  });

  it('take an agent of another kind neither for its launcher nor for what it relaunched itself as', () => {
    const other = { program: 'codex', agentKind: 'codex' };
    const below = processes([shell(), agent({ ...other, pid: 250 }), agent({ parentPid: 250 })]);
    expect(paneOf(withPieces(idleAgent(), below))).toMatchObject({ agent: { pid: 300 }, launchers: [] });
    const above = [shell(), agent(), agent({ ...other, pid: 301, parentPid: 300 })];
    expect(paneOf([pane(), processes(above)])).toMatchObject({ agent: { pid: 300 } });
  });

  it('hear all that is told of an agent', () => {
    const told = [...idleAgent(), word({ source: 'hook', turn: 'running', isLive: true })];
    expect(paneOf(idleAgent()).word?.says).toBe('idle');
    expect(paneOf(told).word?.says).not.toBe('idle');
  });

  it('are not restful while a program without a terminal lives in one, also a shell', () => {
    const detached = paneOf([pane({ hasNoTerminal: true }), processes([shell()])]);
    expect(isRestful(detached)).toBe(false);
    expect(isRestful(paneOf([pane(), processes([shell()])]))).toBe(true);
  });

  it('have none where none runs inside', () => {
    expect(paneOf(exitedAgent())).toMatchObject({ agent: null, launchers: [] });
    expect(paneOf([pane(), processes([shell(), agent({ relation: 'outside' })])]).agent).toBeNull();
    expect(paneOf([processes()])).toMatchObject({ isInMode: false, isShared: false });
  });

  it('rest where they are dead, or bare shells stand in them', () => {
    expect(isRestful(paneOf(deadPane()))).toBe(true);
    expect(isRestful(paneOf(exitedAgent()))).toBe(true);
    expect(isRestful(paneOf(idleAgent()))).toBe(false);
    expect(isRestful(paneOf([pane(), processes([])]))).toBe(false);
    expect(isRestful(paneOf([pane(), processes([note({ relation: 'outside' })])]))).toBe(false);
    const job = [pane(), processes([shell(), note({ role: 'shell', relation: 'background' })])];
    expect(running(paneOf(job))).toHaveLength(1);
  });

  it('end what runs itself, and not what only carries it', () => {
    const carrier = shell({ role: 'wrapper' });
    const found = paneOf([pane(), processes([carrier, agent()])]);
    expect(running(found)).toHaveLength(2);
    expect(runningItself(found)).toMatchObject([{ pid: 300 }]);
  });
});

describe('the next rung', () => {
  it('is to ask, then SIGTERM, and SIGKILL only where it is forced', () => {
    expect(next(idleAgent())).toEqual({ rung: 'ask' });
    expect(next(idleAgent(), ['ask'])).toEqual({ rung: 'terminate' });
    expect(next(idleAgent(), ['ask', 'terminate'])).toEqual({
      rung: 'stuck',
      text: 'claude (pid 300) still runs',
    });
    expect(next(idleAgent(), ['ask', 'terminate'], true)).toEqual({ rung: 'kill' });
    expect(next(idleAgent(), ['ask', 'terminate', 'kill'], true)).toEqual({ rung: 'remove' });
  });

  it('is to remove once nothing runs in it, and that once', () => {
    expect(next(exitedAgent())).toEqual({ rung: 'remove' });
    expect(next(deadPane(), ['remove'])).toMatchObject({ rung: 'stuck' });
  });

  it('is a sleeper where the agent is to sleep, and only once it has left; the session is never removed', () => {
    const sleep = (evidence: readonly Evidence[], tried: Rung[] = []) =>
      nextRung(panesOf(evidence), new Set(tried), { isForced: false, isToSleep: true });
    expect(sleep(idleAgent())).toEqual({ rung: 'ask' });
    expect(sleep(idleAgent(), ['ask'])).toEqual({ rung: 'terminate' });
    expect(sleep(idleAgent(), ['ask', 'terminate'])).toMatchObject({ rung: 'stuck' });
    expect(sleep(exitedAgent(), ['ask'])).toEqual({ rung: 'sleep' });
    expect(sleep(deadPane(), ['ask', 'terminate'])).toEqual({ rung: 'sleep' });
  });

  it('is to remove what sleeps: a sleeper is at rest, what somebody runs beside it is not', () => {
    expect(next(sleepingAgent())).toEqual({ rung: 'remove' });
    const below = processes([shell({ role: 'sleeper' }), note()]);
    expect(next(withPieces(sleepingAgent(), below))).toMatchObject({ rung: 'stuck' });
    const inFront = processes([shell(), note({ role: 'sleeper' })]);
    expect(next(withPieces(exitedAgent(), inFront))).toMatchObject({ rung: 'stuck' });
  });

  it('never removes what lives, unless it is forced', () => {
    const busy = [pane(), processes([shell(), note()])];
    expect(next(busy)).toEqual({ rung: 'stuck', text: 'make (pid 200) still runs' });
    expect(next([pane(), processes([])])).toMatchObject({
      text: 'pane %1, whose processes cannot be seen still runs',
    });
    expect(next(busy, [], true)).toEqual({ rung: 'terminate' });
  });

  it('S51: leaves alone what lives on in another session', () => {
    expect(next(withPieces(idleAgent(), pane({ isWindowShared: true })), [], true)).toEqual({
      rung: 'remove',
    });
  });
});

describe('an agent is asked', () => {
  const why = (evidence: readonly Evidence[], command: string | undefined = '/exit') =>
    whyNotAsk(paneOf(evidence), command);

  it('at a ready and empty prompt', () => {
    expect(why(idleAgent())).toBeNull();
  });

  it('S43: and nowhere else', () => {
    expect(why(exitedAgent())).toBe('no agent runs in it');
    expect(whyNotAsk(paneOf(idleAgent()), undefined)).toContain('not known');
    expect(why(withPieces(idleAgent(), pane({ isInMode: true })))).toContain('mode');
    expect(why(withPieces(idleAgent(), processes([shell(), agent({ relation: 'background' })])))).toContain(
      'front',
    );
    expect(why(without(idleAgent(), 'agent-sign'))).toContain('no ready prompt');
    expect(why(withPieces(idleAgent(), word({ waitingFor: 'permission' })))).toContain('no ready prompt');
    expect(why(withPieces(idleAgent(), word({ isReady: false })))).toContain('no ready prompt');
    expect(why(withPieces(idleAgent(), word({ hasDraft: true })))).toContain('draft');
  });

  it('also where it is the pane’s own process', () => {
    expect(why(withPieces(idleAgent(), processes([agent({ relation: 'root' })])))).toBeNull();
  });
});

describe('what would be done', () => {
  const exits = (kind: string) =>
    kind === 'claude'
      ? { command: '/exit', signal: 'process' }
      : kind === 'gemini'
        ? { command: '/quit', signal: 'group' }
        : undefined;
  const plan = (evidence: readonly Evidence[], isForced = false) =>
    plannedRungs(panesOf(evidence), { isForced }, exits).map(({ rung, text }) => `${rung}: ${text}`);

  it('is every rung, gentlest first', () => {
    expect(plan(idleAgent()).map((line) => line.split(':')[0])).toEqual([
      'archive',
      'ask',
      'terminate',
      'remove',
      'sweep',
    ]);
    expect(plan(idleAgent())[1]).toBe("ask: type '/exit' to claude (pid 300) in %1");
  });

  it('ends with the sleeper where the agent is to sleep', () => {
    const toSleep = (evidence: readonly Evidence[]) =>
      plannedRungs(panesOf(evidence), { isForced: false, isToSleep: true }, exits).map(
        ({ rung, text }) => `${rung}: ${text}`,
      );
    expect(toSleep(idleAgent()).map((line) => line.split(':')[0])).toEqual([
      ...['archive', 'ask', 'terminate', 'sleep'],
    ]);
    expect(toSleep(idleAgent()).at(-1)).toBe(
      'sleep: once it has left: its sleeper in %1; the session and its other panes stay',
    );
    expect(toSleep(exitedAgent()).at(-1)).toContain('its sleeper in its pane');
  });

  it('says whom a signal reaches, and what is not asked', () => {
    const gemini = withPieces(
      idleAgent(),
      processes([shell(), agent({ program: 'gemini', agentKind: 'gemini' })]),
    );
    expect(plan(gemini).join()).toContain('the process group of gemini');
    const other = withPieces(
      without(idleAgent(), 'agent'),
      processes([shell(), { ...note(), role: 'agent' }]),
      named(),
    );
    expect(plan(other).join()).toContain('not asked in %1');
  });

  it('names what a forced close would kill, and what lives on elsewhere', () => {
    const two = [
      ...idleAgent(),
      ...onPane('%2', [pane({ isWindowShared: true }), processes([shell(), note()])]),
    ];
    const lines = plan(two, true).join('\n');
    expect(lines).toContain('2 panes');
    expect(lines).toContain('SIGKILL to claude (pid 300)');
    expect(lines).toContain('%2 live on in other sessions');
    expect(lines).not.toContain('make');
    const busy = plan([pane(), processes([shell(), note(), note({ pid: 7, kept: 'it serves more' })])], true);
    expect(busy.slice(1, 3)).toEqual([
      'terminate: SIGTERM to make (pid 200)',
      'kill: where that is not enough: SIGKILL to make (pid 200)',
    ]);
    expect(busy.at(-1)).toBe(
      'sweep: SIGTERM to what lives on of bash (pid 100), make (pid 200); left alone: make (pid 7): it serves more',
    );
    expect(plan(idleAgent(), true).filter((line) => line.startsWith('terminate'))).toHaveLength(1);
    const elsewhere = withPieces(idleAgent(), pane({ isWindowShared: true }));
    expect(plan(elsewhere).join()).not.toContain('claude');
    expect(plan(withPieces(deadPane(), processes([note()])), true).join()).not.toContain('SIGKILL');
    expect(plan(exitedAgent()).at(-2)).toBe('remove: once nothing runs in it any more');
    expect(plan(exitedAgent()).at(-1)).toBe('sweep: nothing is signalled');
    expect(plan(exitedAgent(), true).map((line) => line.split(':')[0])).toEqual([
      'archive',
      'remove',
      'sweep',
    ]);
  });
});
