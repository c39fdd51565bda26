import { describe, expect, it } from 'vitest';
import type { Evidence, ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { speakerOf, spokenFor } from '../../../src/core/verdict/speaker.ts';
import { agent, note, pane, processes, shell, word } from '../../support/evidence.ts';
import { paneFactsOf } from '../judged.ts';

const facts = (...evidence: Evidence[]) => paneFactsOf([pane(), ...evidence]);
const below = note({ pid: 400, parentPid: 300 });

describe('the speaker', () => {
  it('is the live agent whose pid the word names', () => {
    expect(speakerOf(facts(processes([shell(), agent()]), word()))).toEqual(agent());
  });

  it.each<[string, Evidence[]]>([
    ['when the agent is gone', [processes([shell()]), word()]],
    ['when another agent took its place', [processes([shell(), agent({ pid: 301 })]), word()]],
    ['when its pid belongs to another program by now', [processes([shell(), note({ pid: 300 })]), word()]],
    ['when no word was heard', [processes([shell(), agent()])]],
    ['when the processes are not seen', [word()]],
  ])('is nobody %s', (_, evidence) => {
    expect(speakerOf(facts(...evidence))).toBeUndefined();
    expect(spokenFor(facts(...evidence))(agent())).toBe(false);
  });
});

describe('the word of an agent', () => {
  it.each<[string, boolean, ProcessNote]>([
    ['covers the agent itself', true, agent()],
    ['covers what it started', true, below],
    ['covers a container that it started', true, { ...below, role: 'remote' }],
    ['covers an agent that it started', true, agent({ pid: 400, parentPid: 300, agentKind: 'codex' })],
    ['covers a launcher of its kind', true, agent({ pid: 200 })],
    [
      'does not cover an agent of another kind that started it',
      false,
      agent({ pid: 200, agentKind: 'codex' }),
    ],
    ['does not cover the shell above it', false, shell({ pid: 200 })],
    ['does not cover an agent beside it', false, agent({ pid: 301 })],
    ['does not cover an editor that it opened', false, { ...below, role: 'interactive' }],
    ['does not cover what is stopped', false, { ...below, relation: 'stopped' }],
    ['does not cover a command beside it', false, note({ pid: 301 })],
  ])('%s', (_, isCovered, other) => {
    const notes = other.pid === 300 ? [shell(), other] : [shell(), agent({ parentPid: 200 }), other];
    const isSpokenFor = spokenFor(facts(processes(notes), word()));
    expect(isSpokenFor(other)).toBe(isCovered);
  });

  it('does not cover the agent itself once it is stopped', () => {
    const stopped = agent({ relation: 'stopped' });
    expect(spokenFor(facts(processes([shell(), stopped]), word()))(stopped)).toBe(false);
  });
});
