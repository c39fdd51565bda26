import { describe, expect, it } from 'vitest';
import type { AgentWordEvidence } from '../../../src/core/evidence.ts';
import { agentWord } from '../../../src/core/rules/agent-word.ts';
import { agent, NOW, pane, processes, shell, word } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const live = [pane(), processes([shell(), agent()])];
const gone = [pane(), processes([shell()])];

describe("the agent's own word", () => {
  it('is silent when nothing was heard', () => {
    expect(findingOf(agentWord, live)).toBeNull();
  });

  it('is passed on with its time', () => {
    expect(findingOf(agentWord, [...live, word({ observedAt: NOW.at - 7 })])).toEqual({
      activity: 'idle',
      reason: {
        code: 'agent-says-idle',
        source: 'agent',
        observedAt: NOW.at - 7,
        text: 'claude says it is idle',
      },
    });
  });

  it.each<[Partial<AgentWordEvidence>, string, string, string]>([
    [{ says: 'working' }, 'working', 'agent-says-working', 'claude says it is working'],
    [{ says: 'starting' }, 'starting', 'agent-says-starting', 'claude says it is starting'],
    [{ says: 'unknown' }, 'unknown', 'agent-says-unknown', 'claude says it is unknown'],
    [{ says: 'waiting' }, 'waiting', 'agent-says-waiting', 'claude says it is waiting'],
    [
      { says: 'waiting', waitingFor: 'plan' },
      'waiting',
      'agent-says-waiting',
      'claude says it is waiting for plan',
    ],
    [
      { backgroundTasks: 2 },
      'working',
      'background-tasks',
      'claude ended its turn, but 2 of its background tasks still run',
    ],
    [{ says: 'working', backgroundTasks: 2 }, 'working', 'agent-says-working', 'claude says it is working'],
    [
      { says: 'exited' },
      'unknown',
      'sources-disagree',
      'sources disagree: claude says it is exited, but it runs (pid 300)',
    ],
    [
      { says: 'none' },
      'unknown',
      'sources-disagree',
      'sources disagree: claude says it is none, but it runs (pid 300)',
    ],
    [
      { says: 'exited', backgroundTasks: 1 },
      'working',
      'background-tasks',
      'claude ended its turn, but 1 of its background tasks still run',
    ],
  ])('of a live agent, %j: %s', (over, activity, code, text) => {
    expect(findingOf(agentWord, [...live, word(over)])).toMatchObject({ activity, reason: { code, text } });
  });

  it.each<[Partial<AgentWordEvidence>, string, string]>([
    [{}, 'unknown', 'sources-disagree'],
    [{ says: 'working' }, 'working', 'agent-says-working'],
    [{ says: 'exited' }, 'exited', 'agent-says-exited'],
    [{ says: 'none' }, 'none', 'agent-says-none'],
  ])('S37: of an agent that is gone, %j: %s', (over, activity, code) => {
    expect(findingOf(agentWord, [...gone, word(over)])).toMatchObject({ activity, reason: { code } });
  });

  it('names whom it waits for', () => {
    expect(findingOf(agentWord, [...live, word({ says: 'waiting', waitingFor: 'login' })])?.waitingFor).toBe(
      'login',
    );
  });
});
