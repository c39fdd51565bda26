import { describe, expect, it } from 'vitest';
import { agentWord } from '../../../src/core/rules/agent-word.ts';
import type { AgentSignEvidence } from '../../../src/core/verdict/evidence.ts';
import { agent, NOW, pane, processes, SECOND, shell, sign, word } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const live = [pane(), processes([shell(), agent()])];
const gone = [pane(), processes([shell()])];

describe("the agent's own word", () => {
  it('is silent when nothing was heard', () => {
    expect(findingOf(agentWord, live)).toBeNull();
  });

  it('is passed on with its time and source', () => {
    const heard = word({ observedAt: NOW.at - 7, since: NOW.at - 99, source: 'title' });
    expect(findingOf(agentWord, [...live, heard])).toEqual({
      activity: 'idle',
      since: NOW.at - 99,
      reason: {
        code: 'agent-says-idle',
        source: 'title',
        observedAt: NOW.at - 7,
        text: 'its title says: idle',
      },
    });
  });

  it.each<[Partial<AgentSignEvidence>, string, string, string]>([
    [{ turn: 'running', text: 'busy' }, 'working', 'agent-says-working', 'its own status says: busy'],
    [{ waitingFor: 'plan', text: 'asks' }, 'waiting', 'agent-says-waiting', 'its own status says: asks'],
    [
      { background: 2, text: 'shell' },
      'working',
      'background-tasks',
      'claude ended its turn, but left 2 running: shell',
    ],
    [{ turn: 'running', background: 2 }, 'working', 'agent-says-working', 'its own status says: idle'],
  ])('of a live agent, %j: %s', (over, activity, code, text) => {
    expect(findingOf(agentWord, [...live, word(over)])).toMatchObject({ activity, reason: { code, text } });
  });

  it('says what is missing for an answer', () => {
    expect(
      findingOf(agentWord, [...live, sign({ turn: 'over', text: 'Ready', source: 'title' })]),
    ).toMatchObject({
      activity: 'unknown',
      reason: {
        code: 'agent-state-unknown',
        source: 'title',
        text: 'nothing tells whether it left something running in the background; its title says: Ready',
      },
    });
  });

  it.each([
    [5 * SECOND - 1, 'starting', 'agent-starting'],
    [5 * SECOND, 'unknown', 'agent-state-unknown'],
  ])('of an agent that started %d ms ago and tells nothing: %s', (ageMs, activity, code) => {
    const young = processes([shell(), agent({ startedAt: NOW.at - ageMs })]);
    expect(findingOf(agentWord, [pane(), young, sign()])).toMatchObject({ activity, reason: { code } });
  });

  it('names both sides of a disagreement', () => {
    const busy = sign({ source: 'screen', turn: 'running', text: 'a spinner' });
    expect(findingOf(agentWord, [...live, word(), busy])).toMatchObject({
      activity: 'unknown',
      reason: {
        code: 'sources-disagree',
        text: 'sources disagree: its screen shows: a spinner, but its own status says: idle',
      },
    });
  });

  it.each<[Partial<AgentSignEvidence>, string, string]>([
    [{}, 'unknown', 'sources-disagree'],
    [{ turn: 'running' }, 'working', 'agent-says-working'],
  ])('S37: of an agent that is gone, %j: %s', (over, activity, code) => {
    expect(findingOf(agentWord, [...gone, word(over)])).toMatchObject({ activity, reason: { code } });
  });

  it('S29: two agents in one pane do not make one word', () => {
    expect(findingOf(agentWord, [...live, word(), word({ agentPid: 301, turn: 'running' })])).toBeNull();
  });

  it('names whom it waits for', () => {
    expect(findingOf(agentWord, [...live, word({ waitingFor: 'login' })])?.waitingFor).toBe('login');
  });
});
