import { describe, expect, it } from 'vitest';
import { boundedDocument, documentText, readKept } from '../../../src/core/close/kept-document.ts';

const long = (length: number) => ['program', 'é'.repeat(length)];
const WHOLE = readKept({
  name: 'worker',
  evidence: [{ text: 'e'.repeat(3000) }],
  panes: [
    {
      agent: { argv: ['claude'], resume: ['claude', '--resume', 'c-1'] },
      processes: [
        { pid: 1, role: 'agent', argv: long(1000) },
        { pid: 2, role: 'command', argv: long(3000), command: 'program' },
      ],
    },
    null,
    { processes: [null] },
  ],
});
const bytes = (document: Parameters<typeof documentText>[0]) => Buffer.byteLength(documentText(document));

describe('the document of an archive', () => {
  it('stays whole where it can be read back', () => {
    expect(boundedDocument(WHOLE)).toBe(WHOLE);
    expect(boundedDocument(WHOLE, bytes(WHOLE))).toBe(WHOLE);
  });

  it('gives up command lines of other processes first, and says so', () => {
    const kept = boundedDocument(WHOLE, bytes(WHOLE) - 1);
    expect(kept.cut).toEqual(['arguments of other processes']);
    expect(kept.panes).toEqual([
      {
        ...WHOLE.panes[0],
        processes: [WHOLE.panes[0]?.processes[0], { pid: 2, role: 'command', command: 'program' }],
      },
      { processes: [] },
    ]);
    expect(kept.evidence).toBe(WHOLE.evidence);
  });

  it('then evidence and what is said twice, and never what its agent comes back by', () => {
    expect(boundedDocument(WHOLE, 5500)).toMatchObject({
      ...{ cut: ['arguments of other processes', 'evidence'], evidence: [] },
    });
    const least = boundedDocument(WHOLE, 10);
    expect(least).toMatchObject({
      cut: ['arguments of other processes', 'evidence', 'arguments of processes'],
      panes: [{ agent: WHOLE.panes[0]?.agent, processes: [{ pid: 1, role: 'agent' }, { pid: 2 }] }, {}],
    });
    expect(documentText(least)).not.toContain('é');
  });
});
