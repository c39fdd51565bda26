import { describe, expect, it } from 'vitest';
import { looksEmpty, textBeforeCursor } from '../../../src/core/prompt/prompt.ts';
import { cpuTimeMs, HOSTILE } from '../cpu-time.ts';

// The cursor stands where the bar is.
function at(text: string, width?: number): boolean | null {
  const lines = text.split('\n');
  const row = lines.findIndex((line) => line.includes('|'));
  const column = lines[row]?.indexOf('|') ?? 0;
  return looksEmpty(
    lines.map((line) => line.replace('|', '').trimEnd()),
    { x: column, y: row, ...(width !== undefined && { width }) },
  );
}

describe('an empty prompt', () => {
  it.each([
    '$ |',
    '# |',
    '% |',
    '❯ |',
    '➜ |',
    'λ |',
    '» |',
    'user@host:~/project$ |',
    'root@host:/# |',
    '[user@host project]$ |',
    '(venv) user@host ~/project % |',
    'user@host ~> |',
    'PS /home/user> |',
    'output\n\n~/project ❯ |',
    'bash-5.2$|',
    `${' '.repeat(398)}$ |`,
  ])('is recognised: %j', (text) => {
    expect(at(text)).toBe(true);
  });
});

describe('typed text', () => {
  it.each(['$ rm -rf build|', 'user@host:~$ git commit -m "half|', '❯ vim notes|', '> hello|', '$ echo a |'])(
    'is seen: %j',
    (text) => {
      expect(at(text)).toBe(false);
    },
  );

  it.each([
    ['stands behind a prompt without a space', '$echo 100%|'],
    ['stands behind the cursor', '$ |git push'],
    ['may be a prompt on the right', '$ |            [main]'],
    ['goes on over several lines, in sh', 'x\n> |'],
    ['goes on over several lines, in zsh', 'dquote> |'],
    ['goes on inside a loop, in zsh', 'for then> |'],
    ['stands on a line below the cursor', '$ |\npush'],
    ['is too far right for a prompt', `${' '.repeat(399)}$ |`],
  ])('is not taken for an empty prompt when it %s', (_, text) => {
    expect(at(text)).toBeNull();
  });

  it('that goes on from a full line above is not taken for an empty prompt', () => {
    const wrapped = '$ wc -l aaaaaaaaaaaa\nb.txt > |';
    expect(at(wrapped, 20)).toBeNull();
    expect(at('total 12\nfolder ❯ |', 20)).toBe(true);
  });
});

describe('what is not understood', () => {
  it.each(['|', 'Password: |', '>>> |', 'Continue? [y/N] |', 'some output|', 'pick one:\n  1) a|'])(
    '%j',
    (text) => {
      expect(at(text)).toBeNull();
    },
  );

  it('includes a cursor outside the screen', () => {
    expect(looksEmpty([], { x: 0, y: 0 })).toBeNull();
    expect(looksEmpty(['$ '], { x: 2, y: 5 })).toBeNull();
    expect(textBeforeCursor(['$ '], { x: 2, y: 5 })).toBe('  ');
  });
});

it('S57: a hostile line of 100 kB takes no time', () => {
  const used = cpuTimeMs(() => {
    for (const line of HOSTILE) {
      for (const x of [0, 399, 400, line.length]) looksEmpty([line, line], { x, y: 1, width: 80 });
    }
  });
  expect(used).toBeLessThan(1000);
});
