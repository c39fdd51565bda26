import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

/** What is done in a shell whose agent has exited, and what stands at the cursor then. */
const HOSTILE: Readonly<Record<string, { readonly keys: readonly string[]; readonly shows: string }>> = {
  percent: { keys: ['upload', 'Enter'], shows: 'Uploading: 45%' },
  imitated: { keys: ['imitate', 'Enter'], shows: '$ imitate\n$' },
  read: { keys: ["read -p 'Commit message> '", 'Enter'], shows: 'Commit message>' },
  'edited-read': { keys: ["read -e -p 'Commit message> '", 'Enter'], shows: 'Commit message>' },
  'edited-loop': {
    keys: ["while read -e -p 'task> ' task; do :; done", 'Enter', 'write the tests', 'Enter'],
    shows: 'task> write the tests\ntask>',
  },
  key: { keys: ["read -rsn1 -p 'Press a key> '", 'Enter'], shows: 'Press a key>' },
  'key-in-time': { keys: ["read -t 900 -rsn1 -p '[y/n] $ '", 'Enter'], shows: '[y/n] $' },
  select: { keys: ['select x in a b; do :; done', 'Enter'], shows: '#?' },
  menu: { keys: ['. ./menu', 'Enter'], shows: 'Your choice $' },
  subshell: { keys: ['(upload)', 'Enter'], shows: 'Uploading: 45%' },
  'open-quote': { keys: ["echo 'half", 'Enter'], shows: '>' },
  'here-document': { keys: ['cat <<EOF', 'Enter', 'some text', 'Enter'], shows: 'some text\n>' },
  'half-typed': { keys: ['git push --for'], shows: '$ git push --for' },
  question: { keys: ['read -e -p "$PWD (overwrite? y/n) > " a', 'Enter'], shows: '(overwrite? y/n) >' },
  choice: { keys: ['read -e -p "$PWD (y/n) > " a', 'Enter'], shows: '(y/n) >' },
  search: { keys: ['C-r'], shows: "(reverse-i-search)`':" },
};

// They wait at a pipe of their own: no child, and nothing to do with the terminal.
const FUNCTIONS = `
mkfifo -m 600 "$TMPDIR/pipe.$$" && exec 9<>"$TMPDIR/pipe.$$"
upload() { printf 'Uploading: 45%%'; read -r -u 9; }
imitate() { printf '$ '; read -r -u 9; }
`;

const hasZsh = spawnSync('zsh', ['-c', 'true']).status === 0;

describe.skipIf(!hasWorlds)('law 5: only a shell in its line editor stands at its prompt', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
    const menu = "printf '1 deploy\\n2 quit\\nYour choice $ '; read -r choice\n";
    writeFileSync(join(world.folder, 'menu'), menu);
  });
  afterEach(() => world.close());

  const shows = (name: string, text: string) =>
    until(
      `${name} shows ${text}`,
      () => world.screen(`=${name}:`),
      (screen) => screen.trimEnd().endsWith(text),
    );
  const type = (name: string, ...keys: readonly string[]) =>
    world.tmux('send-keys', '-t', `=${name}:`, ...keys);
  const becomes = (name: string, verdict: string) =>
    until(
      `${name} becomes ${verdict}`,
      () => world.entry(name),
      ({ activity, lifecycle }) => `${activity}/${lifecycle}` === verdict,
    );

  /** The kernel notes reads of a terminal in steps of eight seconds: waits until every later one has another time. */
  const toldApart = () => {
    const step = Math.floor(Date.now() / 8000);
    return until('the next step has begun', () => Math.floor(Date.now() / 8000) > step);
  };

  /** A bash whose prompt is set by its profile. */
  function bash(prompt: string): string[] {
    const rc = join(world.folder, `rc-${Buffer.from(prompt).toString('hex')}`);
    if (!existsSync(rc)) writeFileSync(rc, `PS1='${prompt}'\n${FUNCTIONS}`);
    return ['bash', '--noprofile', '--rcfile', rc, '-i'];
  }

  /** Somebody starts an agent by hand in such a shell, and something behind it. */
  async function agentTyped(name: string, prompt = '$ ', behind = ''): Promise<{ readonly pid: number }> {
    const made = await world.session(name, ...bash(prompt));
    await shows(name, prompt.trimEnd());
    await type(name, `${world.agents.argv(name, 'leaves').join(' ')}${behind}`, 'Enter');
    await world.agents.pid(name);
    return made;
  }

  /** The pane was started for the agent, and this is put in its place. */
  async function agentBefore(name: string, ...shell: string[]): Promise<void> {
    const words = shell.map((word) => `'${word}'`).join(' ');
    await world.session(name, 'sh', '-c', `${world.agents.argv(name, 'leaves').join(' ')}; exec ${words}`);
    await world.agents.pid(name);
  }

  /** Its agent is asked to leave by a person. */
  async function leave(name: string): Promise<void> {
    await type(name, '/exit', 'Enter');
    await until(`${name} is left`, async () => /\/exit\n+\S/.test(await world.screen(`=${name}:`)));
  }

  test('S44: a leftover bash at its prompt is closed, and nothing that only looks like it', async () => {
    const bystanders = await world.bystanders();
    const hostile = Object.keys(HOSTILE);
    const proven = ['arrow', 'built-in', 'given', 'placed', 'typed'];
    await Promise.all([
      ...hostile.map((name) => agentTyped(name)),
      agentTyped('typed'),
      agentTyped('arrow', '➜ '),
      agentBefore('given', 'env', 'PS1=$ ', 'bash', '--norc', '--noprofile', '-i'),
      agentBefore('placed', ...bash('\\u@\\h:\\w\\$ ')),
      agentBefore('built-in', 'env', '-u', 'PS1', 'bash', '--norc', '--noprofile', '-i'),
      agentBefore('unfamiliar', ...bash('➜ ')),
    ]);
    // The agents are seen once.
    await world.ask([]);
    await Promise.all([...hostile, 'unfamiliar'].map(leave));
    await Promise.all(hostile.map((name) => type(name, ...(HOSTILE[name]?.keys ?? []))));
    await Promise.all(hostile.map((name) => shows(name, HOSTILE[name]?.shows ?? '')));
    // Whatever was left before them has rested at least as long.
    await Promise.all(proven.map(leave));
    const safe = async () => {
      const { sessions } = await world.asked<{ sessions: { name: string; lifecycle: string }[] }>([]);
      return sessions.filter(({ lifecycle }) => lifecycle === 'safe-to-close').map(({ name }) => name);
    };
    const all = await until('all proven ones are safe', safe, (names) =>
      proven.every((name) => names.includes(name)),
    );
    expect(all.sort()).toEqual(proven);

    // What was proven once is known when nothing on the screen tells it any more.
    await world.asked([]);
    await toldApart();
    await world.asked([]);
    await world.tmux('send-keys', '-R', '-t', '=arrow:', ';', 'clear-history', '-t', '=arrow:');
    await world.tmux('resize-window', '-t', '=arrow:', '-x', '100');
    await until('it is cleared', async () => (await world.screen('=arrow:')).trim() === '➜');
    await becomes('arrow', 'exited/safe-to-close');

    await world.rollcall(['close', 'percent', 'read', 'edited-read', 'unfamiliar', 'arrow', 'given']);
    const names = await world.names();
    expect(names).toEqual(expect.arrayContaining([...hostile, 'unfamiliar']));
    expect(names.filter((name) => ['arrow', 'given'].includes(name))).toEqual([]);
    for (const name of hostile) await shows(name, HOSTILE[name]?.shows ?? '');
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('S44: a shell in which something was entered since its agent left is a person’s', async () => {
    const bystanders = await world.bystanders();
    const given = ['env', 'PS1=$ ', 'PS2=$ ', 'bash', '--norc', '--noprofile', '-i'];
    const zsh = hasZsh ? { pushed: ['env', '-u', 'PS1', 'zsh', '-f', '-i'] } : {};
    const shells = { asked: given, blind: given, document: given, pasted: given, untouched: given, ...zsh };
    const names = Object.keys(shells);
    await Promise.all(Object.entries(shells).map(([name, argv]) => agentBefore(name, ...argv)));
    await world.ask([]);
    await Promise.all(names.map(leave));
    await type('blind', 'stty -echo', 'Enter');
    await shows('blind', '$ stty -echo\n$');
    for (const name of names) {
      await world.complete(name);
      await becomes(name, 'exited/safe-to-close');
    }

    await type('asked', 'f() { read -e -p "$ " a; }; clear; f', 'Enter');
    await type('blind', 'git push --force origin ma');
    await type('document', 'cat > notes <<EOF', 'Enter', 'a page of notes', 'Enter');
    await shows('document', 'a page of notes\n$');
    writeFileSync(join(world.folder, 'copied'), '$ make release\n$ ');
    await world.tmux(
      'load-buffer',
      join(world.folder, 'copied'),
      ';',
      'paste-buffer',
      '-p',
      '-t',
      '=pasted:',
    );
    await shows('pasted', '$ make release\n$');
    if (hasZsh) {
      await type('pushed', 'git commit -m "a long message', 'M-q');
      await until('it is put aside', async () => !(await world.screen('=pushed:')).includes('long'));
    }
    const touched = names.filter((name) => name !== 'untouched');
    for (const name of touched) {
      const { blockers } = await until(
        `${name} is a person’s`,
        () => world.entry(name),
        ({ lifecycle }) => lifecycle === 'stale',
      );
      expect(blockers.map(({ text }) => text)).toEqual([
        expect.stringMatching(/entered in .*since its agent left|since its agent left: something may/),
      ]);
    }
    await world.rollcall(['close', '--due']);
    expect(await world.names()).toEqual(expect.arrayContaining(touched));
    expect(await world.names()).not.toContain('untouched');
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('S44: what a shell goes on with behind its agent is not removed with it', async () => {
    const bystanders = await world.bystanders();
    const { pid } = await agentTyped('worker', '$ ', '; upload');
    await world.ask(['adopt', 'worker']);
    await world.ask(['complete', 'worker']);
    await becomes('worker', 'idle/safe-to-close');
    expect((await world.rollcall(['close', 'worker'])).exitCode).toBe(3);
    expect([await world.names(), world.isAlive(pid)]).toEqual([expect.arrayContaining(['worker']), true]);
    await shows('worker', 'Uploading: 45%');
    expect(await bystanders.harmed()).toEqual([]);
  });
});
