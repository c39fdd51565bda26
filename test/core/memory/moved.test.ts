import { describe, expect, it } from 'vitest';
import { sessionLife } from '../../../src/core/doctor/session-life.ts';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import { guestHold, isCarried, movedTo, ownersOn } from '../../../src/core/memory/moved.ts';
import { MINUTE, NOW } from '../../support/evidence.ts';
import { doctorFacts, entry, keyOf, ledgerFacts, paneEntry, SERVER } from '../doctor/checks/doctor-facts.ts';

const { label: _, ...server } = SERVER;
const place = { server, sessionId: '$1', createdAtSeconds: 1000 };
const dep = (over: Partial<SessionFacts> = {}) =>
  ledgerFacts({
    ...{ key: keyOf(1), name: 'dep' },
    origin: { at: 1, sequence: 1, how: 'started', place, pane: { paneId: '%1', pid: 100 } },
    held: { at: NOW.at - MINUTE, sequence: 2, reason: 'precious' },
    ...over,
  });
const placeless = dep({
  origin: { at: 1, sequence: 1, how: 'started', place: null, pane: { paneId: '%1', pid: 100 } },
});
const human = entry({
  key: keyOf(2),
  name: 'human',
  panes: [paneEntry({ paneId: '%0', pid: 9 }), paneEntry()],
});

describe('a session whose pane was moved', () => {
  it('goes on in the session that shows it', () => {
    expect(movedTo(dep(), [human])).toEqual({ entry: human, text: 'its pane %1 is in another session now' });
  });

  it.each([
    ['its own session', { ...human, key: keyOf(1) }],
    ['a session that is gone', { ...human, lifecycle: 'lost' as const }],
    ['a session of another server', { ...human, server: { ...human.server, startTicks: 8 } }],
    ['a pane whose program has ended', { ...human, panes: [paneEntry({ isDead: true })] }],
    ['another program in its pane', { ...human, panes: [paneEntry({ pid: 101 })] }],
  ])('does not by %s', (_title, other) => {
    expect(movedTo(dep(), [other])).toBeNull();
  });

  it('cannot be told of one that rollcall did not start', () => {
    expect(movedTo(dep({ origin: null }), [human])).toBeNull();
    expect(movedTo(placeless, [human])).toBeNull();
  });

  it('lives for the doctor, who takes nothing back', () => {
    const life = (...sessions: (typeof human)[]) =>
      sessionLife(keyOf(1), doctorFacts({ ledger: [dep()], sessions }));
    expect(life(human)).toBe('alive');
    expect(life()).toBe('gone');
  });
});

it('is carried by a session of its server that shows one of its panes', () => {
  expect(isCarried(dep({ paneIds: ['%7', '%1'] }), [human])).toBe(true);
  expect(isCarried(dep({ paneIds: ['%7'] }), [human])).toBe(false);
  expect(isCarried(dep({ paneIds: ['%1'] }), [{ ...human, lifecycle: 'lost' }])).toBe(false);
  const elsewhere = { ...human, server: { ...human.server, startTicks: 8 } };
  expect(isCarried(dep({ paneIds: ['%1'] }), [elsewhere])).toBe(false);
});

describe('what was declared of it', () => {
  const holdOn = (guest: SessionFacts, key = keyOf(2), on = server) =>
    guestHold(key, human, ownersOn(on, [guest]), NOW).held;

  it('holds the session that shows its pane', () => {
    expect(holdOn(dep())).toEqual({
      at: NOW.at - MINUTE,
      reason: 'its pane %1 is that of session dep: held 1 min ago: precious',
    });
  });

  it.each<[string, SessionFacts]>([
    ['nothing was declared', dep({ held: null })],
    ['it was closed', dep({ closed: { at: 1, sequence: 3, receipt: 'r' } })],
    ['it was put back', dep({ reopened: { at: 1, sequence: 3, key: 'k' } })],
    ['its pane is not known', dep({ origin: null })],
    ['its server is not known', placeless],
  ])('does not where %s', (_title, guest) => {
    expect(holdOn(guest)).toBeUndefined();
  });

  it.each<[string, Partial<SessionFacts>]>([
    ['that was adopted', { origin: { at: 1, sequence: 1, how: 'adopted', place } }],
    ['that is only held', { origin: null }],
    [
      'in which another program was started',
      { origin: { ...dep().origin!, pane: { paneId: '%1', pid: 99 } } },
    ],
  ])('goes with the panes of a session %s', (_title, over) => {
    const guest = dep({ ...over, paneIds: ['%1', '%7'] });
    expect(holdOn(guest)?.reason).toContain('its pane %1 is that of session dep: held');
    expect(holdOn({ ...guest, paneIds: ['%7'] })).toBeUndefined();
    expect(holdOn(guest, keyOf(1))).toBeUndefined();
    expect(holdOn(guest, keyOf(2), { ...server, startTicks: 8 })).toBeUndefined();
  });

  it('holds also where the session that shows the pane was held itself, and is no more', () => {
    const own = dep({ key: keyOf(2), held: null, paneIds: ['%1'] });
    const owners = ownersOn(server, [dep({ origin: null, paneIds: ['%1'] }), own]);
    expect(guestHold(keyOf(2), human, owners, NOW).held).toBeDefined();
  });

  it('counts for itself as ever, and on its own server only', () => {
    expect(holdOn(dep(), keyOf(1))).toBeUndefined();
    expect(holdOn(dep(), keyOf(2), { ...server, pid: 43 })).toBeUndefined();
  });
});
