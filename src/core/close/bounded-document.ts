import type { KeptDocument, KeptProcess } from './kept-document.ts';

/** Whoever writes the document of an archive and whoever reads it keep to the same bound. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A document as it is written. */
export function documentText(document: KeptDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The document, without what no session is made again from where it would be too large to be read back: command lines of
 * other processes than agents, then the evidence, then what agents' processes say twice. `cut` names what is left out.
 */
export function boundedDocument(document: KeptDocument, maxBytes = MAX_DOCUMENT_BYTES): KeptDocument {
  let kept = document;
  const cut: string[] = [];
  for (const [what, shorter] of SHORTER) {
    if (bytesOf(kept) <= maxBytes) break;
    cut.push(what);
    kept = { ...shorter(kept), cut: [...cut] };
  }
  return kept;
}

const SHORTER: readonly (readonly [what: string, shorter: (document: KeptDocument) => KeptDocument])[] = [
  ['arguments of other processes', (document) => withoutArguments(document, ({ role }) => role !== 'agent')],
  ['evidence', (document) => ({ ...document, evidence: [] })],
  ['arguments of processes', (document) => withoutArguments(document, () => true)],
];

// How an agent was started stands beside its processes, and stays.
function withoutArguments(
  document: KeptDocument,
  isLeftOut: (process: KeptProcess) => boolean,
): KeptDocument {
  const shorter = (whole: KeptProcess): KeptProcess => {
    const { argv: _, ...process } = whole;
    return isLeftOut(process) ? process : whole;
  };
  const panes = document.panes.map((pane) => ({ ...pane, processes: pane.processes.map(shorter) }));
  return { ...document, panes };
}

function bytesOf(document: KeptDocument): number {
  return new TextEncoder().encode(documentText(document)).length;
}
