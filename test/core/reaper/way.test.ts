import { describe, expect, it } from 'vitest';
import { isToSleep } from '../../../src/core/reaper/way.ts';
import {
  agent,
  exitedAgent,
  idleAgent,
  named,
  onPane,
  processes,
  shell,
  withPieces,
} from '../../support/evidence.ts';
import { session } from './rounds.ts';

const idle = session('one', idleAgent());
const untold = (what: 'resume' | 'conversation') => {
  const { [what]: _, ...told } = named();
  return told;
};

describe('an agent sleeps rather than that its session is closed', () => {
  it('where that is preferred, and it is the only one and known', () => {
    expect(isToSleep(idle, 'long-idle', 'hibernate')).toBe(true);
    expect(isToSleep(idle, 'safe-to-close', 'hibernate')).toBe(true);
  });

  it('not where closing is preferred, nor where its work was declared complete', () => {
    expect(isToSleep(idle, 'long-idle', 'close')).toBe(false);
    expect(isToSleep(idle, 'retention-over', 'hibernate')).toBe(false);
  });

  it.each([
    ['it is gone', session('one', idleAgent(), { lifecycle: 'lost' })],
    ['it has left', session('one', exitedAgent())],
    ['it is at work', session('one', idleAgent(), { activity: 'working' })],
    [
      'no agent runs in it',
      session('one', withPieces(idleAgent(), processes([shell()])), { activity: 'idle' }),
    ],
    [
      'it runs beside it, detached',
      session('one', withPieces(idleAgent(), processes([shell(), agent({ relation: 'outside' })])), {
        activity: 'idle',
      }),
    ],
    ['how to resume it is not known', session('one', withPieces(idleAgent(), untold('resume')))],
    ['its conversation is not known', session('one', withPieces(idleAgent(), untold('conversation')))],
    ['it is one of several', session('one', [...idleAgent(), ...onPane('%2', idleAgent())])],
    [
      'nobody tells what it is',
      session(
        'one',
        idleAgent().filter(({ kind }) => kind !== 'agent'),
      ),
    ],
    [
      'it does not run in a pane',
      session(
        'one',
        idleAgent().filter(({ kind }) => kind !== 'processes'),
        { activity: 'idle' },
      ),
    ],
  ])('not where %s', (_, entry) => {
    expect(isToSleep(entry, 'long-idle', 'hibernate')).toBe(false);
  });
});
