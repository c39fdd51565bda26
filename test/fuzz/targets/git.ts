import { toBytePath } from '../../../src/adapters/git/byte-path.ts';
import { readLink } from '../../../src/adapters/git/find-work-tree.ts';
import { listSubmodules } from '../../../src/adapters/git/list-submodules.ts';
import type { Git } from '../../../src/adapters/git/open-git.ts';
import { readRefs } from '../../../src/adapters/git/read-branches.ts';
import { readHistory } from '../../../src/adapters/git/read-history.ts';
import { pathIn, readStatus } from '../../../src/adapters/git/read-status.ts';
import {
  parsePlainConfig,
  readRepositoryConfig,
  writeConfig,
} from '../../../src/adapters/git/repository-config.ts';
import { readSmallFile } from '../../../src/adapters/git/small-file.ts';
import { samples } from '../corpus.ts';
import { type Target, target } from '../target.ts';

/** A git that prints this, whatever it is asked. */
const printing =
  (input: Buffer, isTruncated = false): Git =>
  async () => ({ state: 'answered', stdout: input, isTruncated });

const OID = '0123456789abcdef0123456789abcdef01234567';
const CHANGED = `1 .M N... 100644 100644 100644 ${OID} ${OID}`;
const STATUS = [
  ...[`# branch.oid ${OID}`, '# branch.head main', '# branch.upstream origin/main', '# stash 2'],
  ...[
    `${CHANGED} src/a b.ts`,
    '? new/',
    '! node_modules/',
    `u UU N... 100644 100644 100644 100644 ${OID} ${OID} ${OID} x`,
  ],
];
const ofRecords = (records: readonly string[]) => records.map((record) => `${record}\0`).join('');

const CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@host:x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n; note\n[branch "main"]\n\tremote = origin\n';

/** What somebody would lose: as the status tells it. */
async function unsaved(input: Buffer): Promise<number | 'unknown'> {
  const told = await readStatus(printing(input));
  return told.state === 'read' ? told.status.dirty.length : 'unknown';
}

export const GIT_TARGETS: readonly Target[] = [
  target({
    name: 'git-status',
    covers: ['adapters/git/read-status.ts#readStatus', 'adapters/git/read-status.ts#pathIn'],
    seeds: samples(
      ofRecords(STATUS),
      ofRecords(STATUS.slice(0, 2)),
      ofRecords([`# branch.oid (initial)`, '# branch.head main', '? a']),
    ),
    words: ['\0', '? x\0', '# stash -1\0', '# stash x\0', '1 ', '# branch.oid '],
    async parse(input) {
      const told = await readStatus(printing(input));
      return { told, path: pathIn(input.toString('latin1')) };
    },
    objection(input, { told }) {
      if (told.state !== 'read') return null;
      const { stashes = 0, dirty } = told.status;
      if (!Number.isSafeInteger(stashes) || stashes < 0) return `counts ${stashes} stashes`;
      const strange = input
        .toString('latin1')
        .split('\0')
        .find((record) => record !== '' && !/^[#12u?!] /.test(record));
      return strange === undefined || dirty.length > 0
        ? null
        : 'calls it clean although a record is not understood';
    },
    // Where records are missing at the end git has failed, and says so; half a record is never no record.
    async damaged({ sample, damage, input }, { told }) {
      // Two ends in a row have no record between them.
      const isNothing = input.subarray(sample.length).every((byte) => byte === 0);
      if (damage !== 'trailed' || told.state !== 'read' || isNothing) return null;
      return (await unsaved(sample)) === 0 && told.status.dirty.length === 0
        ? 'calls it clean although something strange stands behind'
        : null;
    },
    growth: 100,
  }),
  target({
    name: 'git-config',
    covers: [
      'adapters/git/repository-config.ts#parsePlainConfig',
      'adapters/git/repository-config.ts#readRepositoryConfig',
    ],
    seeds: samples(
      CONFIG,
      '[core]\n\tworktree = "/srv"\n[extensions]\n\tworktreeConfig = true\n',
      `local\0core.bare\nfalse\0worktree\0remote.a.url\nx\0`,
    ),
    words: ['[include]', '\tpath = x', '"', '\\', ' = ', '#', '[remote "x"]', '\r'],
    async parse(input, room) {
      room.file('git/config', input);
      room.file('git/config.worktree', input);
      const folder = `${room.folder}/git`;
      const workTree = { root: room.folder, gitDir: folder, commonDir: folder, isLinkedWorktree: false };
      const entries = parsePlainConfig(input.toString('utf8'));
      return { entries, read: await readRepositoryConfig(workTree, printing(input)) };
    },
    objection(input, { entries }) {
      if (entries === null) return null;
      const text = input.toString('utf8');
      if (/^[^\S\n]*\[[^\S\n]*include/im.test(text)) return 'reads a config that includes others';
      const plain = entries.filter(({ key }) => /^[a-z]+\.[a-z]+$/.test(key));
      const isSame = JSON.stringify(
        parsePlainConfig(writeConfig(plain.filter(({ value }) => /^[\w/. -]*$/.test(value)))),
      );
      return isSame === JSON.stringify(plain.filter(({ value }) => /^[\w/. -]*$/.test(value)))
        ? null
        : 'reads otherwise what it wrote';
    },
    hard: {
      'empty lines': (bytes) => Buffer.alloc(bytes, '\n'),
      'blanks before a quote': (bytes) =>
        Buffer.concat([Buffer.from('[core]\na = '), Buffer.alloc(bytes, ' '), Buffer.from('"x')]),
      'blanks in a value': (bytes) =>
        Buffer.concat([Buffer.from('[core]\na = b'), Buffer.alloc(bytes, ' '), Buffer.from('c"')]),
      'words in a value': (bytes) =>
        Buffer.concat([Buffer.from('[core]\na = '), Buffer.alloc(bytes, 'b '), Buffer.from('"')]),
    },
    growth: 100,
    most: 64 * 1024,
  }),
  target({
    name: 'git-lists',
    covers: [
      'adapters/git/read-branches.ts#readRefs',
      'adapters/git/read-history.ts#readHistory',
      'adapters/git/list-submodules.ts#listSubmodules',
      'adapters/git/find-work-tree.ts#readLink',
      'adapters/git/small-file.ts#readSmallFile',
      'adapters/git/byte-path.ts#toBytePath',
    ],
    seeds: samples(
      `refs/heads/main\0${OID}\x001794962580\0there\0commit\0\0\nrefs/tags/v1\0${OID}\x001794962580\0\0tag\0${OID}\0commit\n`,
      `${OID} ${OID}\n`,
      '12\n',
      `160000 ${OID} 0\tvendor/a\x00100644 ${OID} 0\tb\0`,
      'gitdir: ../x/.git/worktrees/y\n',
    ),
    words: ['\0', '\n', OID, '160000 ', 'gitdir: ', 'tag'],
    async parse(input, room) {
      room.file('git/index', Buffer.concat([Buffer.from([0, 0, 0xe0, 0]), input]));
      const folder = `${room.folder}/git`;
      const git = printing(input);
      const link = room.file('dotgit', input);
      return [
        await readRefs(git),
        await readHistory(git, OID, ['origin']),
        await listSubmodules(
          { root: room.folder, gitDir: folder, commonDir: folder, isLinkedWorktree: false },
          git,
        ),
        await readLink(room.folder, link).catch(smallOnly),
        (await readSmallFile(link, 8192).catch(smallOnly))?.length,
        toBytePath(input.toString('utf8')).length,
      ];
    },
    growth: 200,
    most: 32 * 1024,
  }),
];

/** Larger files are refused, in words. */
function smallOnly(error: unknown): string {
  if (error instanceof Error) return error.message.slice(0, 50);
  throw error;
}
