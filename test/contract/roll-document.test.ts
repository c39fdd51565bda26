import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { explainDocumentSchema, rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { toExplainDocument, toRollDocument, toSessionObject } from '../../src/contract/roll-document.ts';
import { sessionSchema } from '../../src/contract/session-schema.ts';
import { entry, NOW, pane, roll } from '../cli/render/samples.ts';
import { arbitraryRoll, RAW, textsOf } from './arbitrary-roll.ts';

describe('the roll as a document', () => {
  it('has exactly the fields of its schema, for any roll', () => {
    fc.assert(
      fc.property(arbitraryRoll, (any) => {
        const document = toRollDocument(any);
        // A field that the schema does not know would be stripped, one that is missing would throw.
        expect(v.parse(rollDocumentSchema, document)).toEqual(document);
        expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      }),
    );
  });

  it('S54: lets no control, bidi or broken character through, in any field', () => {
    fc.assert(
      fc.property(arbitraryRoll, (any) => {
        expect(textsOf(toRollDocument(any)).filter((text) => RAW.test(text))).toEqual([]);
        expect(RAW.test(JSON.stringify(toRollDocument(any)))).toBe(false);
      }),
    );
  });

  it('names the fields of the contract, and leaves the evidence out', () => {
    const document = toRollDocument(roll([entry('build', { evidence: [], panes: [pane()] })]));
    expect(Object.keys(document)).toEqual([
      ...['schemaVersion', 'host', 'at', 'memory', 'servers', 'sessions', 'problems'],
    ]);
    expect(Object.keys(document.sessions[0] ?? {})).toEqual(
      expect.arrayContaining([
        ...[
          'key',
          'name',
          'server',
          'host',
          'agent',
          'activity',
          'waitingFor',
          'lifecycle',
          'since',
          'reasons',
        ],
        ...[
          'blockers',
          'protections',
          'role',
          'task',
          'owner',
          'attached',
          'memoryBytes',
          'retainedUntil',
          'panes',
        ],
      ]),
    );
    expect(document.sessions[0]).not.toHaveProperty('evidence');
  });

  it('ties each session to its host and server', () => {
    const document = toRollDocument(roll([entry('build')]));
    expect(document).toMatchObject({
      schemaVersion: 1,
      at: NOW,
      host: { id: 'm', bootId: 'b', name: 'workshop' },
    });
    expect(document.sessions[0]).toMatchObject({
      host: 'm',
      server: { socketPath: '/tmp/tmux-1000/default', label: 'default', pid: 812, version: '3.3a' },
    });
  });

  it('says null where nothing is known, instead of leaving fields out', () => {
    const document = toRollDocument(
      roll([entry('x', { agent: null })], { problems: [{ code: 'c', text: 't' }] }),
    );
    expect(document.problems).toEqual([{ code: 'c', text: 't', hint: null, socketPath: null }]);
    expect(document.sessions[0]?.agent).toBeNull();
  });
});

describe('one session explained', () => {
  it('has its evidence, and fits its schema, for any session', () => {
    fc.assert(
      fc.property(arbitraryRoll, (any) => {
        for (const one of any.sessions) {
          const document = toExplainDocument(any, one);
          expect(v.parse(explainDocumentSchema, document)).toEqual(document);
          expect(document.session.evidence).toHaveLength(one.evidence.length);
          expect(textsOf(document).filter((text) => RAW.test(text))).toEqual([]);
        }
      }),
    );
  });

  it('keeps what only this kind of evidence has', () => {
    const screen = {
      kind: 'screen',
      source: 'screen',
      observedAt: NOW,
      paneId: '%1',
      isPromptEmpty: true,
      tail: ['$ '],
    } as const;
    const document = toExplainDocument(roll([]), entry('x', { evidence: [screen] }));
    expect(document.session.evidence).toEqual([screen]);
  });
});

describe('a session object', () => {
  it('is the one of the roll, safe to print alone', () => {
    fc.assert(
      fc.property(arbitraryRoll, (any) => {
        for (const one of any.sessions) {
          const object = toSessionObject(one, any.host);
          expect(v.parse(sessionSchema, object)).toEqual(object);
          expect(toRollDocument(any).sessions).toContainEqual(object);
        }
      }),
    );
  });
});
