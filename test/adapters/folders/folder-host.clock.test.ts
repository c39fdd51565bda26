import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FolderHost } from '../../../src/adapters/folders/folder-host.ts';
import { PlayLink } from './play-link.ts';

const NO_ANSWER = 'the folder gave no answer within 1 s: is its mount alive?';

describe('a folder host', () => {
  let dead: Set<string>;
  let links: PlayLink[];
  let host: FolderHost;

  beforeEach(() => {
    vi.useFakeTimers();
    [dead, links] = [new Set(), []];
    host = new FolderHost(() => {
      const link = new PlayLink(dead);
      links.push(link);
      return link;
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const ask = (about: string, shared?: object) =>
    host
      .ask({ task: 'git', about, words: [about], ...(shared && { shared }) })
      .catch((error: Error) => error.message);
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

  it('is started by the first question, and answers all that follow', async () => {
    expect(links).toHaveLength(0);
    expect(await ask('/a')).toBe('/a answers');
    expect(await ask('/b')).toBe('/b answers');
    expect(links).toHaveLength(1);
  });

  it('can be started before', async () => {
    host.warm();
    host.warm();
    expect(links).toHaveLength(1);
    expect(await ask('/a')).toBe('/a answers');
    expect(links).toHaveLength(1);
  });

  it('is left behind when it hangs, and another one answers the others', async () => {
    dead.add('/dead');
    const answer = ask('/dead');
    await seconds(2);
    expect(await answer).toBe(NO_ANSWER);
    expect(await ask('/a')).toBe('/a answers');
    expect(links.map(({ isEnded }) => isEnded)).toEqual([false, false]);
  });

  it('is not asked again about what hangs, so that one folder holds one process', async () => {
    dead.add('/dead');
    const first = ask('/dead');
    await seconds(2);
    await first;
    for (let round = 0; round < 10; round += 1) expect(await ask('/dead')).toBe(NO_ANSWER);
    expect(links.flatMap(({ heard }) => heard)).toHaveLength(1);
  });

  it('asks again once the mount answers, and ends the host that waited for it', async () => {
    dead.add('/dead');
    const first = ask('/dead');
    await seconds(2);
    expect(await first).toBe(NO_ANSWER);
    dead.clear();
    links[0]?.goOn();
    await seconds(0);
    expect(links[0]?.isEnded).toBe(true);
    expect(await ask('/dead')).toBe('/dead answers');
  });

  it('costs nobody else their answer, whoever was asked about before or behind it', async () => {
    dead.add('/dead');
    const asked = ['/a', '/b', '/dead', '/c', '/d'].map((about) => ask(about));
    await seconds(2);
    expect(await Promise.all(asked)).toEqual([
      ...['/a answers', '/b answers', NO_ANSWER, '/c answers', '/d answers'],
    ]);
    expect(await ask('/c')).toBe('/c answers');
    expect(links).toHaveLength(2);
  });

  it('tells several that hang from those that do not', async () => {
    for (const about of ['/dead', '/gone']) dead.add(about);
    const asked = ['/a', '/dead', '/b', '/gone', '/c'].map((about) => ask(about));
    await seconds(5);
    expect(await Promise.all(asked)).toEqual([
      ...['/a answers', NO_ANSWER, '/b answers', NO_ANSWER, '/c answers'],
    ]);
  });

  it('is patient with one that works, or waits for a processor', async () => {
    dead.add('/slow');
    const answer = ask('/slow');
    for (let step = 0; step < 20; step += 1) {
      if (links[0]) links[0].ticks = step;
      await seconds(0.25);
    }
    dead.clear();
    links[0]?.goOn();
    expect(await answer).toBe('/slow answers');
    expect(links).toHaveLength(1);
  });

  it('leaves at most eight behind', async () => {
    for (let count = 0; count < 12; count += 1) {
      dead.add(`/${count}`);
      const answer = ask(`/${count}`);
      await seconds(2);
      expect(await answer).toMatch(/is its mount alive|are their mounts alive/);
    }
    expect(links).toHaveLength(8);
    expect(await ask('/a')).toMatch(/too many folders give no answer at once/);
    dead.clear();
    for (const link of links) link.goOn();
    await seconds(0);
    expect(await ask('/a')).toBe('/a answers');
  });

  it('says so when it ends, and is started anew', async () => {
    dead.add('/a');
    const answer = ask('/a');
    await seconds(0);
    links[0]?.end();
    expect(await answer).toBe('the process that looks at folders ended');
    dead.clear();
    expect(await ask('/a')).toBe('/a answers');
    expect(links).toHaveLength(2);
  });

  it('is told once what many questions have in common', async () => {
    const common = ['what all hooks said'];
    await Promise.all([ask('/a', common), ask('/b', common)]);
    expect(links[0]?.shared).toEqual([common]);
    const [first, second] = links[0]?.heard ?? [];
    expect(first?.shared).toBe(second?.shared);
  });
});
