import { describe, expect, it } from 'vitest';
import { orphanedSessions } from '../../../src/core/doctor/checks/session-orphaned.ts';
import { staleHolds } from '../../../src/core/doctor/checks/session-stale-holds.ts';
import { closingOf, recordWord, sessionWord } from '../../../src/core/doctor/session-words.ts';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { DAY, NOW } from '../../support/evidence.ts';
import { doctorFacts, entry, found, keyOf, ledgerFacts, SERVER } from './checks/doctor-facts.ts';
import { careOf } from './process-facts.ts';

const OTHER = { ...SERVER, socketPath: '/tmp/tmux-0/other', label: 'other', version: null };
const twin = (over: Partial<SessionEntry> = {}) => entry({ key: keyOf(2), sessionId: '$2', ...over });
const word = (own: SessionEntry, ...others: SessionEntry[]) =>
  sessionWord(own, doctorFacts({ sessions: [own, ...others] }).roll);

describe('10: the word by which a command finds a session', () => {
  it('is its name where no other has it', () => {
    expect(word(entry(), twin({ name: 'other' }))).toBe('build');
  });

  it('names the server too where another one has a session of that name', () => {
    expect(word(entry(), twin({ server: OTHER }))).toBe('main:build');
  });

  it('is the key where that would not tell them apart', () => {
    expect(word(entry(), twin())).toBe(keyOf(1));
    const odd = { ...SERVER, label: '-odd', version: null };
    expect(word(entry({ server: odd }), twin({ server: OTHER }))).toBe(keyOf(1));
  });

  it('is quoted where a shell asks for it', () => {
    expect(word(entry({ name: 'two words' }))).toBe("'two words'");
    expect(word(entry({ name: "it's; ä" }))).toBe("'it'\\''s; ä'");
    const odd = { ...SERVER, label: 'my server', version: null };
    expect(word(entry({ server: odd }), twin({ server: OTHER }))).toBe("'my server:build'");
  });

  it.each(['-x', '$1', '%1', '', 'n'.repeat(81), 'a\u001b[31m'])(
    'is the key where rollcall would take the name %j for something else',
    (name) => {
      expect(word(entry({ name }))).toBe(keyOf(1));
    },
  );
});

describe('10: the word by which the ledger finds a session', () => {
  const inLedger = (...ledger: SessionFacts[]) =>
    recordWord(entry(), doctorFacts({ sessions: [entry()], ledger }));
  const at = (number: number, sequence: number, server = SERVER) =>
    careOf({
      key: keyOf(number),
      origin: {
        ...{ at: 0, sequence, how: 'started' },
        place: { server, sessionId: `$${number}`, createdAtSeconds: 1000 },
      },
    });

  it('is its name where it is the newest of that name, and there is none on another server', () => {
    expect(inLedger(at(1, 5))).toBe('build');
    expect(inLedger(at(1, 5), at(2, 3))).toBe('build');
  });

  it('is its key where another would be meant', () => {
    expect(inLedger(at(1, 5), at(2, 9))).toBe(keyOf(1));
    expect(inLedger(at(1, 5), at(2, 3, { ...OTHER }))).toBe(keyOf(1));
    expect(inLedger(at(2, 3))).toBe(keyOf(1));
    expect(inLedger(at(1, 5), ledgerFacts({ key: keyOf(2) }))).toBe(keyOf(1));
  });

  it('is its name where the ledger cannot be read', () => {
    expect(recordWord(entry(), doctorFacts({ ledger: { failed: 'gone' } }))).toBe('build');
  });
});

describe('10: findings name sessions as people do', () => {
  it('in what closing it would do, and in what stands against it', () => {
    const facts = doctorFacts({ sessions: [entry()] });
    expect(closingOf(entry(), facts).advice.at(-1)).toBe('it can be put back: rollcall reopen build');
    expect(closingOf(entry({ lifecycle: 'active' }), facts).advice).toEqual([
      'see what prevents closing it: rollcall explain build',
    ]);
  });

  it('for an owner that is a session', () => {
    const gone = keyOf(9);
    const owned = entry({ owner: gone });
    const named = ledgerFacts({ key: gone, name: 'lead' });
    const told = (ledger: Parameters<typeof doctorFacts>[0]) =>
      found(orphanedSessions, doctorFacts({ sessions: [owned], ...ledger }))[0]?.text;
    expect(told({ ledger: [named] })).toBe("build (main): its owner session 'lead' is gone");
    expect(told({})).toContain(`its owner ${gone} is gone`);
    expect(told({ ledger: { failed: 'gone' } })).toContain(`its owner ${gone} is gone`);
  });

  it('for holds of sessions on the roll, and for what one was put back as', () => {
    const held = { at: NOW.at - 31 * DAY, sequence: 1, reason: null };
    const old = doctorFacts({ sessions: [entry()], ledger: [ledgerFacts({ held })] });
    expect(found(staleHolds, old)[0]?.advice).toEqual(['if its reason is over: rollcall unhold build']);
    const back = (...others: ReturnType<typeof ledgerFacts>[]) => {
      const reopened = { at: 1, sequence: 2, key: keyOf(5) };
      const facts = doctorFacts({ ledger: [ledgerFacts({ held, reopened }), ...others] });
      return found(staleHolds, facts)[0]?.evidence;
    };
    expect(back(ledgerFacts({ key: keyOf(5), name: 'again' }))).toEqual([
      "it was put back as session 'again'",
    ]);
    expect(back()).toEqual([`it was put back as ${keyOf(5)}`]);
  });
});
