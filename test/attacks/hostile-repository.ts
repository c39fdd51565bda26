import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const TRAP = '#!/bin/sh\n: > "$(dirname "$0")/../witness/$(basename "$0")"\n';

/** Filters by the way in which their command reaches git, each on files of its own. */
const FILTERS = {
  clean: 'clean',
  process: 'process',
  included: 'included',
  conditional: 'conditional',
  ofWorktree: 'of-worktree',
  equals: 'a=b',
  odd: 'ödd.na%me"',
} as const;

/**
 * A repository that tries to run programs in every way that git knows, with submodules two deep, repositories that are not
 * tracked or ignored, a bare one, and a linked work tree. Whatever runs leaves a witness that names the place and the way.
 */
export class HostileRepository {
  readonly folder: string;
  readonly root: string;
  readonly linked: string;
  readonly env: NodeJS.ProcessEnv;
  #touches = 1000;

  constructor(folder: string) {
    this.folder = folder;
    this.root = join(folder, 'top');
    this.linked = join(folder, 'linked');
    for (const name of ['traps', 'witness']) mkdirSync(join(folder, name), { recursive: true });
    this.env = {
      ...{ PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
      GIT_CONFIG_GLOBAL: join(folder, 'user.gitconfig'),
    };
    writeFileSync(
      join(folder, 'user.gitconfig'),
      '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
    );
    this.#build();
  }

  /** Every repository of it that has files, by the name under which its traps are known. */
  get places(): Readonly<Record<string, string>> {
    return {
      top: this.root,
      sub: join(this.root, 'sub'),
      deep: join(this.root, 'sub/deep'),
      nested: join(this.root, 'nested'),
      ignored: join(this.root, 'ignored/far/inner'),
      linked: this.linked,
    };
  }

  git(cwd: string, ...args: string[]): string {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', args, { cwd, env: this.env, encoding: 'utf8', stdio: [...stdio] }).trimEnd();
  }

  /** As a person would: whether git succeeds does not matter. */
  careless(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, program = 'git'): void {
    const input = 'protocol=https\nhost=nowhere.example.org\n\n';
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    try {
      execFileSync(program, args, {
        cwd,
        env: { ...this.env, ...env },
        input,
        stdio: [...stdio],
        timeout: 10_000,
      });
    } catch {
      // Most traps make git itself fail.
    }
  }

  /** What has run since it was last asked. */
  witnesses(): string[] {
    const names = readdirSync(join(this.folder, 'witness')).sort();
    for (const name of names) rmSync(join(this.folder, 'witness', name));
    return names;
  }

  /** A program that leaves a witness. */
  trap(name: string): string {
    const path = join(this.folder, 'traps', name);
    if (!existsSync(path)) {
      writeFileSync(path, TRAP);
      chmodSync(path, 0o755);
    }
    return path;
  }

  /** Makes every file look as if it might have changed, so that filters have a reason to run. */
  touch(): void {
    for (const root of Object.values(this.places)) {
      for (const name of Object.keys(FILTERS)) writeFileSync(join(root, `file.${name}`), 'Text\n');
      // The same content at another time: git notes that in its index, and has a hook for it.
      this.#touches += 1;
      utimesSync(join(root, 'same.txt'), this.#touches, this.#touches);
    }
    writeFileSync(join(this.root, 'file.lfs'), 'Text\n');
  }

  #build(): void {
    for (const name of ['deep', 'sub', 'top']) {
      const root = join(this.folder, `${name}.origin`);
      mkdirSync(root);
      this.git(root, 'init', '-q');
      const attributes = Object.entries(FILTERS).map(
        ([file, filter]) => `*.${file} filter=${filter} diff=evil`,
      );
      writeFileSync(join(root, '.gitattributes'), `${attributes.join('\n')}\n`);
      writeFileSync(join(root, '.gitignore'), 'ignored/\n');
      for (const file of Object.keys(FILTERS)) writeFileSync(join(root, `file.${file}`), 'text\n');
      writeFileSync(join(root, 'same.txt'), 'same\n');
      const inner = { deep: null, sub: 'deep', top: 'sub' }[name];
      if (inner)
        this.git(root, 'submodule', '--quiet', 'add', join(this.folder, `${inner}.origin`), inner ?? '');
      this.git(root, 'add', '-A');
      this.git(root, 'commit', '-q', '-m', 'first');
    }
    this.git(this.folder, 'clone', '-q', '--recurse-submodules', join(this.folder, 'top.origin'), 'top');
    for (const name of ['nested', 'ignored/far/inner']) {
      this.git(this.root, 'clone', '-q', join(this.folder, 'deep.origin'), name);
    }
    this.git(this.root, 'worktree', 'add', '-q', '-b', 'side', this.linked);
    for (const [place, root] of Object.entries(this.places)) this.#plant(place, root);
    this.#plantAround();
    this.touch();
  }

  #plant(place: string, root: string): void {
    const gitDir = this.git(root, 'rev-parse', '--absolute-git-dir');
    const trap = (way: string) => this.trap(`${place}-${way}`);
    const filter = (file: keyof typeof FILTERS, kind: string) =>
      `[filter ${JSON.stringify(FILTERS[file])}]\n\t${kind} = "${trap(file)}; cat"\n`;
    writeFileSync(join(gitDir, 'config.worktree'), filter('ofWorktree', 'clean'));
    // What a linked work tree shares is planted already.
    if (place === 'linked') return;
    writeFileSync(join(gitDir, 'included'), filter('included', 'clean'));
    writeFileSync(join(gitDir, 'conditional'), filter('conditional', 'clean'));
    mkdirSync(join(gitDir, 'evil-hooks'));
    const hook = join(gitDir, 'evil-hooks/post-index-change');
    writeFileSync(hook, `#!/bin/sh\nexec ${trap('hook')} </dev/null\n`);
    chmodSync(hook, 0o755);
    appendFileSync(
      join(gitDir, 'config'),
      [
        ...[
          filter('clean', 'clean'),
          filter('process', 'process'),
          filter('odd', 'clean'),
          // No option of git can name this one; at the top it would keep a careful look from going further.
          ...(place === 'top' ? [] : [filter('equals', 'clean')]),
        ],
        `[include]\n\tpath = included\n[includeIf "gitdir:/"]\n\tpath = conditional\n`,
        `[extensions]\n\tworktreeConfig = true\n\tpartialClone = lazy\n`,
        `[core]\n\trepositoryFormatVersion = 1\n\tfsmonitor = ${trap('fsmonitor')}\n\thooksPath = ${join(gitDir, 'evil-hooks')}\n`,
        `\tpager = ${trap('pager')}\n\teditor = ${trap('editor')}\n\tsshCommand = ${trap('ssh')}\n`,
        `\taskPass = ${trap('askpass')}\n\tgitProxy = ${trap('proxy')}\n\talternateRefsCommand = ${trap('alternates')}\n`,
        `[pager]\n\tstatus = ${trap('pager-status')}\n[sequence]\n\teditor = ${trap('sequence')}\n`,
        `[diff]\n\texternal = ${trap('diff')}\n[diff "evil"]\n\ttextconv = ${trap('textconv')}\n`,
        `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${trap('gpg')}\n[gpg "ssh"]\n\tprogram = ${trap('gpg-ssh')}\n`,
        `[credential]\n\thelper = "!${trap('credential')}"\n[protocol "ext"]\n\tallow = always\n`,
        `[alias]\n\tevil = "!${trap('alias')}"\n\tstatus = "!${trap('alias-status')}"\n\trev-list = "!${trap('alias-list')}"\n`,
        `[url "ext::${trap('insteadof')} "]\n\tinsteadOf = evil:\n[remote "other"]\n\turl = evil:x\n`,
        `[remote "lazy"]\n\turl = ${this.folder}/top.origin\n\tpromisor = true\n\tuploadpack = ${trap('uploadpack')}\n`,
        `[remote "foreign"]\n\tvcs = evil\n\turl = x\n[submodule "sub"]\n\tupdate = "!${trap('submodule')}"\n`,
        `[lfs "extension.evil"]\n\tclean = ${trap('lfs-extension')}\n[merge "evil"]\n\tdriver = ${trap('merge')}\n`,
      ].join(''),
    );
  }

  /** A bare repository among the files, and programs where a careless PATH would find them. */
  #plantAround(): void {
    const bare = join(this.root, 'ignored/bare');
    this.careless(this.root, ['init', '-q', '--bare', bare]);
    appendFileSync(
      join(bare, 'config'),
      `[core]\n\tfsmonitor = ${this.trap('bare-fsmonitor')}\n\tbare = false\n\tworktree = ..\n`,
    );
    for (const name of ['git', 'git-status', 'git-config', 'git-remote-evil', 'git-lfs']) {
      const path = join(this.root, name);
      writeFileSync(path, `#!/bin/sh\nexec ${this.trap(`path-${name}`)}\n`);
      chmodSync(path, 0o755);
      appendFileSync(join(this.root, '.git/info/exclude'), `/${name}\n`);
    }
    // The user's own filter, which is trusted: found by a PATH with a dot, it would be the repository's.
    writeFileSync(join(this.root, '.git/info/attributes'), '*.lfs filter=lfs\n');
    appendFileSync(this.env.GIT_CONFIG_GLOBAL ?? '', '[filter "lfs"]\n\tclean = git-lfs clean\n');
    writeFileSync(join(this.root, 'file.lfs'), 'text\n');
    appendFileSync(
      join(this.root, '.git/config'),
      `[filter "lfs"]\n\tclean = ${this.trap('top-shadowed')}\n`,
    );
    this.careless(this.root, ['-c', 'filter.lfs.clean=cat', 'add', 'file.lfs']);
    this.careless(this.root, ['commit', '-q', '-m', 'lfs']);
    this.#sign();
    this.witnesses();
  }

  /** A commit that claims to be signed, so that somebody may want to check it. */
  #sign(): void {
    const commit = this.git(this.root, '--no-pager', 'cat-file', 'commit', 'HEAD');
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
    const oid = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      ...{ cwd: this.root, env: this.env, encoding: 'utf8' as const },
      input: `${commit.replace('\n\n', `\n${signature}\n\n`)}\n`,
    });
    this.git(this.root, 'update-ref', 'HEAD', oid.trim());
  }
}
