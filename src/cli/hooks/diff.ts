import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { type Line, line } from '../render/line.ts';

// Beyond so many lines of difference all is shown as replaced: right, only longer.
const MAX_CHANGES = 1000;

/**
 * What turns one text into the other, as a unified diff; null stands for no file. Settings hold tokens: what looks like one is
 * masked, so that a diff can be shown to others.
 */
export function unifiedDiff(path: string, before: string | null, after: string | null): string[] {
  if (before === after) return [];
  return [
    `--- ${before === null ? '/dev/null' : path}`,
    `+++ ${after === null ? '/dev/null' : path}`,
    ...hunksBetween(before ?? '', after ?? '').flatMap((hunk) => [
      `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
      ...hunk.lines.map((text) => text.slice(0, 1) + maskSecrets(text.slice(1))),
    ]),
  ];
}

/** The diff for a person. */
export function diffLines(diff: readonly string[]): Line[] {
  return diff.map((text) => {
    // A control character would be shown by its name; for these two that helps nobody.
    const shown = text.replaceAll('\t', '    ').replace(/\r$/, '');
    if (text.startsWith('--- ') || text.startsWith('+++ ')) return line(shown, 'heading');
    if (text.startsWith('@@')) return line(shown, 'calm');
    if (text.startsWith('+')) return line(shown, 'good');
    return line(shown, text.startsWith('-') ? 'alarm' : undefined);
  });
}

function hunksBetween(before: string, after: string): StructuredPatchHunk[] {
  const isOneSided = before === '' || after === '';
  const how = { context: 3, maxEditLength: isOneSided ? Number.POSITIVE_INFINITY : MAX_CHANGES };
  const patch = structuredPatch('', '', before, after, undefined, undefined, how);
  if (patch !== undefined) return patch.hunks;
  const [removed, added] = [hunksBetween(before, ''), hunksBetween('', after)].flat();
  if (removed === undefined || added === undefined) return [];
  return [{ ...removed, newLines: added.newLines, lines: [...removed.lines, ...added.lines] }];
}

function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
