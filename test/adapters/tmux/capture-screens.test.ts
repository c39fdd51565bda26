import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SCREEN_BYTES, screenLines } from '../../../src/adapters/tmux/capture-screens.ts';
import type { ScreenSighting } from '../../../src/core/sight/sighting.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';
import { countingSpawn, fakeTmux, sensorOf, tableOf, UID } from './look.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux();
});
afterEach(() => tmux.stop());

const PRINT = (text: string): string[] => ['sh', '-c', `printf '${text}'; exec sleep 1000`];

function linesOf(sighting: ScreenSighting | undefined): readonly string[] {
  if (sighting?.state !== 'captured') throw new Error(`no screen: ${JSON.stringify(sighting)}`);
  return sighting.lines;
}

async function shown(paneId: string, text: string): Promise<readonly string[]> {
  const capture = async () => linesOf((await sensorOf().capture(tmux.socketPath, [paneId]))[0]);
  return until(`${text} is shown`, capture, (lines) => lines.some((line) => line.includes(text)));
}

describe('screens', () => {
  it('are captured row by row, blank rows included', async () => {
    const { paneId } = await tmux.session('main', ...PRINT('one\\n\\n  three \\n'));
    const lines = await shown(paneId, 'three');
    expect(lines).toEqual(['one', '', '  three', ...Array.from({ length: 27 }, () => '')]);
  });

  it('S33: are thirty empty rows when the pane is empty, and nothing when it is missing', async () => {
    const { paneId } = await tmux.session('main', 'sleep', '1000');
    expect(await sensorOf().capture(tmux.socketPath, ['%77', paneId, '%78', '%79'])).toMatchObject([
      { state: 'absent', paneId: '%77' },
      { state: 'captured', paneId, lines: Array.from({ length: 30 }, () => '') },
      { state: 'absent', paneId: '%78' },
      { state: 'absent', paneId: '%79' },
    ]);
  });

  it('come with the cursor and with their colours', async () => {
    const { paneId } = await tmux.session(
      'main',
      ...PRINT('plain \\033[2mfaint\\033[0m \\033[41m  \\033[0m'),
    );
    await shown(paneId, 'faint');
    const [screen] = await sensorOf().capture(tmux.socketPath, [paneId]);
    expect(screen).toMatchObject({ cursor: { x: 14, y: 0, width: 120 } });
    expect(linesOf(screen)[0]).toBe('plain faint');
    expect(screen?.state === 'captured' && screen.styled[0]).toContain('plain \x1b[2mfaint');
  });

  it('come with rows of history before them where these are wanted, and the cursor counts from the first', async () => {
    const { paneId } = await tmux.session('main', ...PRINT(`first\\n${'\\n'.repeat(40)}last`));
    await shown(paneId, 'last');
    const [whole, some] = await Promise.all(
      [500, 2].map((rows) => sensorOf().capture(tmux.socketPath, [paneId], rows)),
    );
    expect(linesOf(whole?.[0])[0]).toBe('first');
    expect(whole?.[0]).toMatchObject({ cursor: { x: 4, y: 41 } });
    expect(linesOf(some?.[0])).toHaveLength(32);
    expect(some?.[0]).toMatchObject({ cursor: { x: 4, y: 31 } });
  });

  it('are captured many in one call', async () => {
    const panes: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      panes.push((await tmux.session(`s${index}`, ...PRINT(`screen ${index}.`))).paneId);
    }
    for (const [index, paneId] of panes.entries()) await shown(paneId, `screen ${index}.`);
    const { spawn, children } = countingSpawn();
    const sightings = await sensorOf({ spawn }).capture(tmux.socketPath, panes);
    expect(sightings.map((each) => linesOf(each)[0])).toEqual(panes.map((_, index) => `screen ${index}.`));
    expect(children).toHaveLength(1);
  });

  it('S57: stay within the argument limit when they are very many', async () => {
    const { paneId } = await tmux.session('main', ...PRINT('here'));
    await shown(paneId, 'here');
    for (let index = 0; index < 5; index += 1) {
      await tmux.tmux(
        ...Array.from({ length: 80 }, () => ['new-window', '-d', 'sleep', '1000', ';'])
          .flat()
          .slice(0, -1),
      );
    }
    const panes = (await tmux.tmux('list-panes', '-a', '-F', '#{pane_id}')).split('\n');
    expect(panes).toHaveLength(401);
    const { spawn, children } = countingSpawn();
    const sightings = await sensorOf({ spawn }).capture(tmux.socketPath, panes);
    expect(sightings.map((each) => [each.state, each.paneId])).toEqual(
      panes.map((each) => ['captured', each]),
    );
    expect(linesOf(sightings[0])[0]).toBe('here');
    expect(children).toHaveLength(6);
  });

  it('are answered in the order of the question, also when a pane is asked for twice', async () => {
    const { paneId } = await tmux.session('main', ...PRINT('twice'));
    await shown(paneId, 'twice');
    const sightings = await sensorOf().capture(tmux.socketPath, [paneId, '%9', paneId]);
    expect(sightings.map((each) => each.state)).toEqual(['captured', 'absent', 'captured']);
    expect(await sensorOf().capture(tmux.socketPath, [])).toEqual([]);
  });

  it('S19: show the program, not copy mode', async () => {
    const { paneId } = await tmux.session('main', ...PRINT('program'));
    await shown(paneId, 'program');
    await tmux.tmux('copy-mode', '-t', paneId);
    expect((await shown(paneId, 'program'))[0]).toBe('program');
  });
});

describe('S33: what is a screen and what is not', () => {
  const answering = (folder: string, format: string, marks: number): string =>
    fakeTmux(
      folder,
      `mark=$(printf %s "$6" | cut -c 1-18); printf '${format}'${' "$mark"'.repeat(marks)}; exit 0`,
    );

  it.each([
    ['a whole screen', '%s1%s\\nscreen\\n%s2,0,80,24%s\\n', 4, 'captured'],
    ['two marks with nothing between them', '%s1%s\\n%s2,0,80,24%s\\n', 4, 'failed'],
    ['a screen that ends in the middle of a row', '%s1%s\\nscreen%s2,0,80,24%s\\n', 4, 'failed'],
    ['a screen without a mark behind it', '%s1%s\\nscreen\\n', 2, 'failed'],
    ['a screen without a cursor', '%s1%s\\nscreen\\n%s,,,%s\\n', 4, 'failed'],
    ['a screen with half a cursor', '%s1%s\\nscreen\\n%s2,0', 3, 'failed'],
    ['text before the first mark', 'hello%s1%s\\nscreen\\n%s2,0,80,24%s\\n', 4, 'failed'],
    ['more screens than were asked for', '%s1%s\\none\\n%s2,0,80,24%s\\ntwo\\n%s2,0,80,24%s\\n', 6, 'failed'],
  ])('%s', async (_, format, marks, state) => {
    const sensor = sensorOf({ tmuxPath: answering(tmux.folder, format, marks) });
    expect(await sensor.capture('/nowhere', ['%0'])).toMatchObject([{ state }]);
  });
});

describe('targets', () => {
  it('S1: are ids only; names, patterns and options are refused without asking', async () => {
    await tmux.session('main', ...PRINT('secret'));
    const { spawn, children } = countingSpawn();
    const asked = [
      'main',
      'main:',
      '=main:',
      '*',
      '',
      '-t',
      '%',
      '%0;kill-server',
      '%0 ',
      '{last}',
      '@0',
      '$0',
    ];
    const sightings = await sensorOf({ spawn }).capture(tmux.socketPath, asked);
    expect(sightings.map((each) => [each.state, each.paneId])).toEqual(asked.map((each) => ['failed', each]));
    expect(await sensorOf({ spawn }).capture('relative', ['%0'])).toMatchObject([{ state: 'failed' }]);
    expect(children).toHaveLength(0);
  });

  it('S3: belong to the server that was seen; another on its socket gives no screens', async () => {
    await tmux.session('main', ...PRINT('old'));
    const sensor = sensorOf({ onlyFolders: [join(tmux.folder, `tmux-${UID}`)] });
    const old = tmux.serverPid;
    await sensor.sense(() => tableOf(old));
    await tmux.killServer();
    await until('it is gone', () => !tableOf(old).byPid.has(old));
    const { paneId } = await tmux.session('main', ...PRINT('new'));
    expect(await sensor.capture(tmux.socketPath, [paneId])).toMatchObject([
      { state: 'failed', text: expect.stringContaining(String(old)) },
    ]);
    await sensor.sense(() => tableOf(tmux.serverPid));
    expect(await sensor.capture(tmux.socketPath, [paneId])).toMatchObject([{ state: 'captured' }]);
  });
});

describe('S57: floods', () => {
  it('of a huge screen are cut row by row, and the panes behind it are still captured', async () => {
    const fill = 'row = sprintf("%1200s", ""); gsub(/ /, "x", row); for (i = 0; i < 899; i++) print row';
    const script = `awk 'BEGIN { ${fill} }'; printf end; exec sleep 1000`;
    await tmux.tmux(...['new-session', '-d', '-x', '1200', '-y', '900', '-s', 'huge', 'sh', '-c', script]);
    const { paneId } = await tmux.session('small', ...PRINT('small'));
    await shown(paneId, 'small');
    const cursor = () => tmux.tmux('display-message', '-p', '-t', '%0', '#{cursor_x} #{cursor_y}');
    await until('the screen is full', cursor, (at) => at === '3 899');
    const [huge, small] = await sensorOf().capture(tmux.socketPath, ['%0', paneId]);
    const lines = linesOf(huge);
    expect(lines).toHaveLength(900);
    expect(lines[0]).toBe('x'.repeat(Math.floor(MAX_SCREEN_BYTES / 900)));
    expect(lines[899]).toBe('end');
    expect(linesOf(small)[0]).toBe('small');
  });

  // Stands for a tmux whose second pane prints without end.
  const flooding = (folder: string): string =>
    fakeTmux(
      folder,
      [
        'mark=$(printf %s "$6" | cut -c 1-18)',
        'printf "%s1%s\\nfirst\\n%s5,0,80,24%s\\n" "$mark" "$mark" "$mark" "$mark"',
        'case "$*" in *%2*) yes flood ;; esac',
      ].join('\n'),
    );

  it('without end are cut off, and capturing goes on behind them', async () => {
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ tmuxPath: flooding(tmux.folder) });
    const [first, flood, last] = await sensor.capture(tmux.socketPath, ['%1', '%2', '%3']);
    expect(linesOf(first)).toEqual(['first']);
    expect(linesOf(flood)[0]).toBe('flood');
    expect(linesOf(flood).join('\n').length).toBeLessThan(MAX_SCREEN_BYTES);
    expect(linesOf(last)).toEqual(['first']);
  });

  it('of invalid UTF-8 are replaced, in short screens and in cut ones', () => {
    expect(screenLines(Buffer.from([0x61, 0xff, 0x0a, 0xc3]))).toEqual(['a\ufffd', '\ufffd']);
    const [first, second, ...others] = screenLines(
      Buffer.concat([Buffer.alloc(10_000_000, 0xff), Buffer.from('\nend')]),
    );
    expect(first).toBe('\ufffd'.repeat(MAX_SCREEN_BYTES / 2));
    expect([second, others]).toEqual(['end', []]);
  });

  it('of bytes that no terminal takes leave the pane readable', async () => {
    const { paneId } = await tmux.session('main', ...PRINT('\\377\\376 ok \\303('));
    const lines = await shown(paneId, 'ok');
    expect(lines).toHaveLength(30);
    expect(Buffer.from(lines.join('\n')).toString('utf8')).toBe(lines.join('\n'));
  });
});
