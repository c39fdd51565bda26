import { describe, expect, it } from 'vitest';
import { type Line, line, printLine } from '../../../src/cli/render/line.ts';
import { labelled, page, section } from '../../../src/cli/render/page.ts';
import { show } from '../../../src/cli/render/show.ts';
import { table, tableRow } from '../../../src/cli/render/table.ts';

const texts = (lines: readonly Line[]) => lines.map((pieces) => printLine(pieces, false));

describe('a page', () => {
  it('has an empty line between its blocks, and none for an empty one', () => {
    expect(texts(page([[line('a')], [], [line('b'), line('c')], []]))).toEqual(['a', '', 'b', 'c']);
    expect(page([[], []])).toEqual([]);
  });

  it('has no heading without lines below it', () => {
    expect(section('EMPTY', [])).toEqual([]);
    expect(texts(section('FULL', [line('a')]))).toEqual(['FULL', 'a']);
  });
});

describe('a labelled text', () => {
  it('goes on below its own beginning', () => {
    expect(texts(labelled('agent', 'one two three four five', 26, { indent: 2, room: 8 }))).toEqual([
      '  agent   one two three',
      '          four five',
    ]);
  });

  it('is in one line without a width', () => {
    expect(texts(labelled('a', 'x '.repeat(200).trim(), null, { room: 3 }))).toHaveLength(1);
  });
});

describe('a table', () => {
  const columns = [{ title: 'NAME' }, { title: 'MEM', side: 'right', width: 5 }, { title: 'WHY' }] as const;

  it('makes every column as wide as its widest cell, and leaves the last one open', () => {
    const rows = table(columns, [[line('a'), line('1K'), line('idle')]], 2);
    expect(rows.map(({ head, last }) => texts([[...head, ...last]])[0])).toEqual([
      '  NAME    MEM  WHY',
      '  a        1K  idle',
    ]);
  });

  it('pads a row to widths that are given, and never cuts a cell', () => {
    const { head, last } = tableRow(
      [{ width: 3, side: 'right' }, { width: 2 }, {}],
      [line('1'), line('long'), line('rest')],
    );
    expect(texts([[...head, ...last]])).toEqual(['  1  long  rest']);
  });
});

describe('showing what was found', () => {
  const shown = (json: boolean, columns: number | null) => {
    let written = '';
    const stdout = {
      isTTY: false,
      columns,
      rows: null,
      onResize: () => () => {},
      write: (text: string) => {
        written += text;
      },
    };
    const flags = { json, color: 'never', 'no-color': false } as const;
    expect(
      show({ flags, surroundings: { stdout, env: {} } }, { a: 1 }, (width) => [line(`w ${width}`)]),
    ).toBe(0);
    return written;
  };

  it('prints the document for programs, and lines of the terminal’s width for people', () => {
    expect(shown(true, 40)).toBe('{"a":1}\n');
    expect(shown(false, 40)).toBe('w 40\n');
    expect(shown(false, null)).toBe('w null\n');
  });
});
