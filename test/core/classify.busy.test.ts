import { describe, expect, it } from 'vitest';
import type { Evidence, ProcessNote } from '../../src/core/verdict/evidence.ts';
import {
  agent,
  client,
  clock,
  DAY,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  NOW,
  note,
  onPane,
  pane,
  people,
  plainShell,
  processes,
  SECOND,
  screen,
  shell,
  without,
  withPieces,
  word,
} from '../support/evidence.ts';
import { blockersOf, stateOf, verdictOn } from './judged.ts';

const running = (...notes: ProcessNote[]): Evidence[] =>
  withPieces(plainShell(), processes([shell(), ...notes]));

describe('S18: the work is in another pane or window', () => {
  const build = onPane('%2', [
    pane(),
    processes([shell({ pid: 400 }), note({ parentPid: 400 })]),
    history(),
    git(),
  ]);

  it('S18: the busiest pane decides for the session, wherever it is', () => {
    expect(stateOf([...idleAgent(), ...build])).toBe('working/active');
    expect(stateOf([...onPane('%0', build), ...idleAgent()])).toBe('working/active');
    expect(verdictOn([...idleAgent(), ...build]).panes).toEqual([
      { paneId: '%1', activity: 'idle', waitingFor: null },
      { paneId: '%2', activity: 'working', waitingFor: null },
    ]);
  });

  it('S18: a pane of which nothing is known keeps the whole session unknown', () => {
    expect(stateOf([...idleAgent(), ...onPane('%2', [pane()])])).toBe('unknown/unknown');
  });

  it('S18: a plain terminal or an editor in another pane is not finished', () => {
    const plain = onPane('%2', plainShell().slice(0, 5));
    expect(stateOf([...exitedAgent(), ...plain])).toBe('exited/stale');
    expect(blockersOf([...exitedAgent(), ...plain])).toEqual(['finished-or-resumable']);
    const editor = withPieces(plain, processes([shell(), note({ role: 'interactive' })], { paneId: '%2' }));
    expect(blockersOf([...exitedAgent(), ...editor])).toContain('nothing-running');
  });

  it('S18: two leftovers with full proof are as safe as one', () => {
    expect(stateOf([...exitedAgent(), ...onPane('%2', exitedAgent().slice(0, 5))])).toBe(
      'exited/safe-to-close',
    );
  });
});

describe('S19: a person is there', () => {
  it.each<[string, Evidence]>([
    ['attached and typing', people({ clients: [client({ lastInputAt: NOW.at })] })],
    ['attached and only reading, for days', people({ clients: [client({ lastInputAt: NOW.at - 3 * DAY })] })],
    ['attached through a grouped session', people({ clients: [client()], isThroughGroup: true })],
    ['in a control-mode client', people({ clients: [client({ isControl: true })] })],
  ])('S19: %s', (_, evidence) => {
    for (const closable of [idleAgent(), exitedAgent(), deadPane()]) {
      const verdict = verdictOn(withPieces(closable, evidence));
      expect(verdict.lifecycle).toBe('active');
      expect(verdict.reasons[0]?.code).toBe('person-attached');
      expect(verdict.protections.map((one) => one.code)).toContain('attached');
      expect(verdict.blockers.map((one) => one.code)).toContain('nobody-there');
    }
  });

  it('S19: copy mode blocks also when nobody is attached', () => {
    expect(blockersOf(withPieces(exitedAgent(), pane({ isInMode: true })))).toEqual(['nobody-there']);
  });
});

describe('S20: a long pipeline whose last consumer is quiet', () => {
  it.each([
    ['tail', note({ pid: 201, program: 'tail' })],
    ['tee', note({ pid: 201, program: 'tee' })],
    ['less', note({ pid: 201, program: 'less', role: 'interactive' })],
  ])('S20: work that ends in %s goes on', (_, consumer) => {
    expect(stateOf(running(consumer, note({ pid: 202, program: 'make' })))).toBe('working/active');
    expect(stateOf(running(note({ pid: 199, program: 'make' }), consumer))).toBe('working/active');
  });

  it('S20: a remote command behind a pager is not mistaken for a pager', () => {
    const less = note({ pid: 201, program: 'less', role: 'interactive' });
    expect(stateOf(running(less, note({ pid: 202, program: 'ssh', role: 'remote' })))).toBe(
      'unknown/unknown',
    );
  });
});

describe('S21: children that left the tree', () => {
  const stray = note({ pid: 666, parentPid: 1, program: 'nohup-job', relation: 'outside' });

  it.each<[string, Evidence[]]>([
    ['an exited agent', withPieces(exitedAgent(), processes([shell(), stray]))],
    ['an idle agent', withPieces(idleAgent(), processes([shell(), agent(), stray]))],
    ['a dead pane', withPieces(deadPane(), processes([stray]))],
  ])('S21: block the closing of %s', (_, evidence) => {
    expect(verdictOn(evidence).lifecycle).toBe('stale');
    expect(blockersOf(evidence)).toEqual(['nothing-outside']);
  });

  it('S21: are work when they use the processor', () => {
    const busy = { ...stray, cpuPercent: 80 };
    expect(stateOf(withPieces(exitedAgent(), processes([shell(), busy])))).toBe('working/active');
  });
});

describe('S22: the agent is wrapped', () => {
  const wrapped = (...launchers: ProcessNote[]): Evidence[] => {
    const parentPid = launchers.at(-1)?.pid ?? 0;
    return withPieces(idleAgent(), processes([...launchers, agent({ parentPid })]));
  };
  const bash = shell({ role: 'wrapper' });

  it.each<[string, Evidence[]]>([
    ['by bash -c "claude; exec bash"', wrapped(bash)],
    ['by npx', wrapped(bash, note({ program: 'npx', role: 'wrapper' }))],
    ['by a node launcher', wrapped(shell(), note({ program: 'launch.js' }))],
    ['by direnv exec', wrapped(shell(), note({ program: 'direnv', role: 'wrapper' }))],
    ['by a launcher of its own kind', wrapped(shell(), agent({ pid: 299 }))],
  ])('S22: %s it is found, and its wrapper is neither work nor in the way', (_, evidence) => {
    expect(stateOf(evidence)).toBe('idle/safe-to-close');
    expect(verdictOn(evidence).agent?.pid).toBe(300);
    const unheard = without(evidence, 'agent-sign');
    expect(stateOf(unheard)).toBe('unknown/unknown');
    expect(stateOf(withPieces(evidence, word({ turn: 'running' })))).toBe('working/active');
  });

  it('S22: the shell that follows it is a leftover, not a plain terminal; where a script waits for it, more may follow', () => {
    const follows = (...notes: ProcessNote[]) => stateOf(withPieces(exitedAgent(), processes(notes)));
    expect(follows(shell())).toBe('exited/safe-to-close');
    expect(follows(bash, shell({ pid: 101, parentPid: 100, relation: 'foreground' }))).toBe('exited/stale');
  });

  it('S22: in a container or behind ssh it is out of sight, and unknown', () => {
    expect(stateOf(running(note({ program: 'docker', role: 'remote' })))).toBe('unknown/unknown');
  });
});

describe('S24: work between two looks', () => {
  it('S24: a disturbance that left the screen as it was starts the rest anew', () => {
    const disturbed = history({ agentSeen: 'claude', quietMs: 30 * SECOND, disturbedMs: 30 * SECOND });
    expect(stateOf(withPieces(idleAgent(), disturbed))).toBe('idle/active');
    expect(stateOf(withPieces(exitedAgent(), disturbed))).toBe('exited/active');
  });
});

describe('S25: only the output of the window counts', () => {
  it('S25: output in a detached session keeps it recent, however long nobody was attached', () => {
    const evidence = [pane({ lastOutputAt: NOW.at - 5 * SECOND }), people({ awayMs: 30 * DAY })];
    expect(stateOf(withPieces(idleAgent(), ...evidence))).toBe('idle/active');
  });

  it('S25: without a time of output nothing has rested', () => {
    const { lastOutputAt: _, ...unstamped } = pane();
    expect(stateOf(withPieces(idleAgent(), unstamped))).toBe('idle/active');
  });
});

describe('S26: time that passed on the wall clock only', () => {
  const overnight = [
    pane({ lastOutputAt: NOW.at - 8 * HOUR }),
    processes([shell({ startedAt: NOW.at - 9 * HOUR }), agent()]),
    history({ agentSeen: 'claude', quietMs: 20 * SECOND }),
  ];

  it.each<[string, Evidence]>([
    ['the machine was suspended for eight hours', clock({ suspendedMs: 8 * HOUR })],
    ['the clock was stepped by eight hours', clock({ steppedMs: 8 * HOUR })],
    ['half was sleep and half a step', clock({ suspendedMs: 4 * HOUR, steppedMs: 4 * HOUR })],
  ])('S26: is not rest when %s', (_, evidence) => {
    expect(stateOf(withPieces(idleAgent(), ...overnight, evidence))).toBe('idle/active');
    expect(stateOf(withPieces(idleAgent(), ...overnight))).toBe('idle/safe-to-close');
  });

  it('S26: is no match for the age of the program itself', () => {
    const young = processes([shell({ startedAt: NOW.at - 5 * SECOND })]);
    expect(stateOf(withPieces(exitedAgent(), pane({ lastOutputAt: NOW.at - DAY }), young))).toBe(
      'exited/active',
    );
  });

  it('S26: sleep long ago does not undo the rest that was seen since', () => {
    expect(stateOf(withPieces(idleAgent(), clock({ suspendedMs: 300 * HOUR })))).toBe('idle/safe-to-close');
  });
});

describe('S27: idle, but looks busy', () => {
  const server = note({
    helper: 'language server',
    pid: 400,
    parentPid: 300,
    program: 'mcp-server',
    cpuPercent: 3,
  });

  it('S27: idle helpers of an agent are not work', () => {
    const evidence = withPieces(idleAgent(), processes([shell(), agent(), server]));
    expect(stateOf(evidence)).toBe('idle/safe-to-close');
  });

  it('S27: a language server under an editor is not work', () => {
    const vim = note({ program: 'nvim', role: 'interactive' });
    expect(stateOf(running(vim, { ...server, parentPid: vim.pid }))).toBe('none/stale');
  });

  it('S27: an agent that redraws a clock or a cursor is idle, not working, and has not rested', () => {
    const redrawing = processes([shell(), agent({ cpuPercent: 30 })]);
    expect(stateOf(withPieces(idleAgent(), redrawing, pane({ lastOutputAt: NOW.at })))).toBe('idle/active');
  });

  it('S27: an agent that calls itself idle while a child works is not believed', () => {
    const busy = withPieces(idleAgent(), processes([shell(), agent(), { ...server, cpuPercent: 90 }]));
    expect(stateOf(busy)).toBe('unknown/unknown');
    expect(verdictOn(busy).reasons[0]?.code).toBe('sources-disagree');
  });
});

describe('S28: text on a screen is never a completion', () => {
  const tail = ['<promise>COMPLETE</promise>', 'All tasks done. Safe to close.', '$ '];

  it.each<[string, Evidence[]]>([
    ['a build', running(note())],
    ['a plain shell', plainShell()],
    ['an unheard agent', without(idleAgent(), 'agent-sign')],
    ['an agent at work', withPieces(idleAgent(), word({ turn: 'running' }))],
  ])('S28: what %s prints or is called changes nothing', (_, evidence) => {
    const loud = withPieces(evidence, screen({ tail }), pane({ title: 'DONE: safe-to-close' }));
    expect(verdictOn(loud)).toEqual(verdictOn(withPieces(evidence, screen(), pane())));
  });
});
