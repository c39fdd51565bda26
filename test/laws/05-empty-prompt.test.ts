import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, type Made, World } from './world.ts';

/** What stands at the cursor in the end, and what leads to it in a shell whose agent has exited. */
const HOSTILE: readonly {
  readonly name: string;
  readonly keys: readonly string[];
  readonly shows: string;
}[] = [
  { name: 'percent', keys: ['upload', 'Enter'], shows: 'Uploading: 45%' },
  { name: 'read', keys: ["read -p 'Commit message> '", 'Enter'], shows: 'Commit message>' },
  { name: 'edited-read', keys: ["read -e -p 'Commit message> '", 'Enter'], shows: 'Commit message>' },
  {
    name: 'edited-loop',
    keys: ["while read -e -p 'task> ' task; do :; done", 'Enter', 'write the tests', 'Enter'],
    shows: 'task> write the tests\ntask>',
  },
  { name: 'any-key', keys: ["read -rsn1 -p 'Press a key> '", 'Enter'], shows: 'Press a key>' },
  { name: 'any-key-soon', keys: ["read -t 900 -rsn1 -p '[y/n] $ '", 'Enter'], shows: '[y/n] $' },
  { name: 'select', keys: ['select x in a b; do :; done', 'Enter'], shows: '#?' },
  { name: 'script-menu', keys: ['. ./menu', 'Enter'], shows: 'Your choice $' },
  { name: 'open-quote', keys: ["echo 'half", 'Enter'], shows: '>' },
  { name: 'here-document', keys: ['cat <<EOF', 'Enter', 'some text', 'Enter'], shows: 'some text\n>' },
  { name: 'half-typed', keys: ['git push --for'], shows: '$ git push --for' },
  { name: 'search', keys: ['C-r'], shows: '(reverse-i-search)' },
  { name: 'same-as-prompt', keys: ['imitate', 'Enter'], shows: '$ imitate\n$' },
];

const RC = `
upload() { printf 'Uploading: 45%%'; read -r -u 9; }
imitate() { printf '$ '; read -r -u 9; }
mkfifo -m 600 "$TMPDIR/pipe.$$" && exec 9<>"$TMPDIR/pipe.$$"
`;

describe.skipIf(!hasWorlds)(
  'law 5: only a shell in its line editor is at its prompt',
  { timeout: 60_000 },
  () => {
    let world: World;

    beforeEach(async () => {
      world = await World.open();
      writeFileSync(join(world.folder, 'rc'), RC);
      writeFileSync(
        join(world.folder, 'menu'),
        "printf '1 deploy\\n2 quit\\nYour choice $ '; read -r choice\n",
      );
    });
    afterEach(() => world.close());

    const shows = (name: string, text: string) =>
      until(
        `${name} shows ${text}`,
        async () =>
          (await world.screen(`=${name}:`)).trimEnd().endsWith(text) ||
          (await world.screen(`=${name}:`)).includes(`${text}\``),
      );

    /** A bash with this prompt, in which somebody starts an agent by hand. */
    async function bash(name: string, prompt: string, ...more: string[]): Promise<Made> {
      const rc = join(world.folder, `rc-${name}`);
      writeFileSync(rc, `PS1='${prompt}'\n${RC}`);
      const made = await world.session(name, 'bash', '--noprofile', '--rcfile', rc, '-i');
      await shows(name, prompt.trimEnd());
      const line = [...world.agents.argv(name, 'leaves'), ...more].join(' ');
      await world.tmux('send-keys', '-t', made.paneId, line, 'Enter');
      await world.agents.pid(name);
      return made;
    }

    /** The same after its agent has left. */
    async function leftover(name: string, prompt = '$ '): Promise<Made> {
      const made = await bash(name, prompt);
      expect((await world.rollcall(['adopt', name])).exitCode).toBe(0);
      await world.tmux('send-keys', '-t', made.paneId, '/exit', 'Enter');
      await shows(name, `/exit\n${prompt.trimEnd()}`);
      return made;
    }

    const becomes = (name: string, verdict: string) =>
      until(
        `${name} becomes ${verdict}`,
        () => world.entry(name),
        ({ activity, lifecycle }) => `${activity}/${lifecycle}` === verdict,
      );

    test('S44: a leftover bash goes when it waits in its line editor, and nothing that only looks like it', async () => {
      const bystanders = await world.bystanders();
      for (const { name } of HOSTILE) await leftover(name);
      for (const { name, keys, shows: text } of HOSTILE) {
        await world.tmux('send-keys', '-t', `=${name}:`, ...keys);
        await shows(name, text);
      }
      // The same prompt as all of them, one that tells where it is, and one that only what was typed behind it tells.
      await leftover('plain');
      await leftover('arrow', '➜ ');
      const behind = `${world.agents.argv('behind', 'leaves').join(' ')}; exec env 'PS1=$ ' bash --norc --noprofile -i`;
      await world.session('behind', 'sh', '-c', behind);
      await world.agents.pid('behind');
      await world.rollcall(['adopt', 'behind']);
      await world.tmux('send-keys', '-t', '=behind:', '/exit', 'Enter');
      for (const name of ['plain', 'arrow', 'behind']) await becomes(name, 'exited/safe-to-close');

      const { sessions } = await world.json<{ sessions: { name: string; lifecycle: string }[] }>([]);
      const safe = sessions.filter(({ lifecycle }) => lifecycle === 'safe-to-close').map(({ name }) => name);
      expect(safe.sort()).toEqual(['arrow', 'behind', 'plain']);
      await world.rollcall(['close', '--due']);
      const bystanding = ['bystander-person', 'bystander-works'];
      expect((await world.names()).sort()).toEqual(
        [...HOSTILE.map(({ name }) => name), ...bystanding].sort(),
      );
      for (const { name, shows: text } of HOSTILE) await shows(name, text);
      expect(await bystanders.harmed()).toEqual([]);
    });

    test('S44: what a shell does behind an agent that was asked to leave is not removed with it', async () => {
      const bystanders = await world.bystanders();
      const { pid } = await bash('worker', '$ ', '; upload');
      await world.rollcall(['adopt', 'worker']);
      await world.rollcall(['complete', 'worker']);
      await becomes('worker', 'idle/safe-to-close');
      const closed = await world.rollcall(['close', 'worker']);
      expect(await world.names()).toContain('worker');
      expect(world.isAlive(pid)).toBe(true);
      expect(closed.exitCode).not.toBe(0);
      await shows('worker', 'Uploading: 45%');
      expect(await bystanders.harmed()).toEqual([]);
    });
  },
);
