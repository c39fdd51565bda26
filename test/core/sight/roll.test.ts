import { describe, expect, it } from 'vitest';
import { identityOf, type SessionEntry } from '../../../src/core/sight/roll.ts';

describe('who a session is', () => {
  it('S1: is said by its server, its id and when it was made, never by its name', () => {
    const server = { socketPath: '/tmp/s', pid: 5, startTicks: 7, version: '3.3a' };
    const entry = { name: 'one', server, sessionId: '$3', createdAt: 1_700_000_000_400 };
    expect(identityOf(entry as unknown as SessionEntry)).toEqual({
      server: { socketPath: '/tmp/s', pid: 5, startTicks: 7 },
      sessionId: '$3',
      createdAtSeconds: 1_700_000_000,
    });
  });
});
