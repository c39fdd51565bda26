import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { RememberedServer } from '../../../src/core/memory/recollection.ts';
import type { SeenLife } from '../../../src/core/memory/seen-life.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Scene, ServerLook } from '../../../src/engine/look/look-at-server.ts';
import { rememberLives } from '../../../src/engine/look/remember-lives.ts';

const KEY = 'session';
const MARKED: Readonly<Record<string, SeenLife>> = { [KEY]: { isOvertaken: true, overtakenPid: 70 } };
const expected = {
  ...{ key: KEY, completion: null, claims: {}, held: null, retained: null },
  ...{ closing: null, closed: null, reopened: null },
  origin: { how: 'started', at: 1, sequence: 1, pane: { paneId: '%1', pid: 70 }, place: {} },
} as unknown as SessionFacts;

const scene = (lives: Scene['lives'], ...known: readonly SessionFacts[]) =>
  ({
    lives,
    memory: { at: 9, awakeMs: 9 },
    declared: { state: 'read', facts: new Map(known.map((one) => [one.key, one])) },
  }) as unknown as Scene;

/** What is kept after a look that found the session with this process in its pane, or that did not see it. */
function kept(pid: number | null, of: Scene) {
  const sessions = pid === null ? [] : [{ key: KEY }];
  const panes = { '%1': { pid, isDead: false } };
  const servers = { server: { sessions: { [KEY]: { panes } } } } as unknown as Record<
    string,
    RememberedServer
  >;
  const entry = { key: KEY, activity: 'working', agent: null } as unknown as SessionEntry;
  const looks = [{ key: 'server', sessions }] as unknown as ServerLook[];
  return rememberLives(looks, servers, new Map([[KEY, entry]]), of);
}

describe('S58: what was seen of a session', () => {
  it('is noted where it speaks against an end', () => {
    expect(kept(99, scene({}, expected))).toEqual(MARKED);
    expect(kept(70, scene({}, expected))).toEqual({});
  });

  it('is kept as long as the session is expected, also by looks that do not see it', () => {
    expect(kept(null, scene(MARKED, expected))).toEqual(MARKED);
    expect(kept(70, scene(MARKED, expected))).toEqual(MARKED);
  });

  it('is kept by a look that cannot read the ledger', () => {
    const unread = { ...scene(MARKED), declared: { state: 'failed', text: 'x', hint: 'y' } as const };
    expect(kept(null, unread)).toEqual(MARKED);
    expect(kept(70, unread)).toEqual(MARKED);
  });

  it('is dropped once the session is closed or unknown', () => {
    const closed = { ...expected, closed: {} } as SessionFacts;
    expect(kept(null, scene(MARKED, closed))).toEqual({});
    expect(kept(null, scene(MARKED))).toEqual({});
  });
});
