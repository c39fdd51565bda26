// Loaded into the built program with `node --require`: counts its steps, writes each of them down, and stops at the one
// that was asked for until the harness lets it go on. Nothing else of the program is changed.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const net = require('node:net');
const { basename, dirname, join } = require('node:path');

const log = process.env.ROLLCALL_RACE_LOG;
/** `TEXT#2`: the second time that it is about to do this. */
const stopAt = process.env.ROLLCALL_RACE_STOP ?? '';
const original = { ...fs };
const kill = process.kill.bind(process);
const SCAN = 'before a scan of /proc';
const WAITS = /\b(askMs|terminateMs): [\de]+,/g;

if (log !== undefined) begin();

function begin() {
  const file = original.openSync(log, 'a');
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let count = 0;
  let last = '';
  const times = new Map();
  const children = new Set();
  // A patched function may call another one: only the outermost is a step of the program.
  let depth = 0;

  const now = () => Number(process.hrtime.bigint());
  const write = (event) => original.writeSync(file, `${JSON.stringify({ ...event, at: now() })}\n`);

  function point(text) {
    if (depth > 0) return;
    // It waits for somebody to leave: how often it looks meanwhile differs from run to run.
    const isWaiting = text === SCAN && last === SCAN;
    last = text;
    if (isWaiting) return;
    count += 1;
    times.set(text, (times.get(text) ?? 0) + 1);
    const address = `${text}#${times.get(text)}`;
    write({ event: 'point', address });
    if (address !== stopAt) return;
    original.writeFileSync(`${log}.reached`, String(process.pid));
    while (!original.existsSync(`${log}.go`)) Atomics.wait(sleeper, 0, 0, 4);
    write({ event: 'goes-on' });
  }

  function within(work) {
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
    }
  }

  /** Replaces a function by one that stops before it does the same. */
  function stopBefore(object, name, describe) {
    const real = object[name];
    if (typeof real !== 'function') return;
    object[name] = function (...given) {
      const text = describe(...given);
      if (text !== null) point(text);
      return within(() => real.apply(this, given));
    };
  }

  if (process.env.ROLLCALL_RACE_HURRY) hurry();
  watchChildren();
  watchSignals();
  watchFiles();
  watchModules();

  // Agents that do not leave are waited for as long as nobody wants to wait two thousand times.
  function hurry() {
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => {
      const read = readFileSync(path, ...rest);
      if (basename(dirname(String(path))) !== 'command' || typeof read !== 'string') return read;
      return read.replace(WAITS, '$1: 1200, ');
    };
    const parts = join(dirname(process.argv[1]), 'command');
    const isPart = (name) =>
      name.endsWith('.cjs') && readFileSync(join(parts, name), 'latin1').match(WAITS) !== null;
    if (!fs.readdirSync(parts).some(isPart)) throw new Error('the waits of a close are not where they were');
  }

  function watchChildren() {
    const { spawn, spawnSync, execFile } = childProcess;
    const started = (child, name, id) => {
      let printed = '';
      children.add(child.pid);
      write({ event: 'child-pid', id, pid: child.pid });
      child.stdout?.on('data', (chunk) => {
        if (printed.length < 4096) printed += chunk.toString('latin1');
      });
      // Before the listeners of the program, which come later.
      child.once('close', (code) => {
        write({ event: 'ended', id, code, printed });
        point(`after ${name}`);
      });
      return child;
    };
    const begins = (argv) => {
      const name = inWords(argv);
      point(`before ${name}`);
      const id = count;
      write({ event: 'child', id, argv });
      return { name, id };
    };
    childProcess.spawn = (program, ...rest) => {
      const argv = [program, ...(Array.isArray(rest[0]) ? rest[0] : [])];
      const { name, id } = begins(argv);
      return started(
        within(() => spawn(program, ...rest)),
        name,
        id,
      );
    };
    childProcess.execFile = (program, ...rest) => {
      const argv = [program, ...(Array.isArray(rest[0]) ? rest[0] : [])];
      const { name, id } = begins(argv);
      return started(
        within(() => execFile(program, ...rest)),
        name,
        id,
      );
    };
    childProcess.spawnSync = (program, ...rest) => {
      const argv = [program, ...(Array.isArray(rest[0]) ? rest[0] : [])];
      const { name, id } = begins(argv);
      const result = within(() => spawnSync(program, ...rest));
      write({ event: 'ended', id, code: result.status, printed: String(result.stdout ?? '').slice(0, 4096) });
      point(`after ${name}`);
      return result;
    };
    for (const name of ['connect', 'createConnection']) {
      stopBefore(net, name, () => 'before a connection');
    }
  }

  function watchSignals() {
    process.kill = (pid, signal) => {
      if (signal === 0) return kill(pid, 0);
      point(
        `before ${signal ?? 'SIGTERM'} to ${children.has(Math.abs(pid)) ? 'its own child' : 'a process'}`,
      );
      const event = { event: 'signal', pid, signal: signal ?? 'SIGTERM', begunAt: now() };
      try {
        kill(pid, signal);
        write({ ...event, isDone: true });
        return true;
      } catch (error) {
        write({ ...event, isDone: false });
        throw error;
      }
    };
  }

  function watchFiles() {
    const names = new Map();
    const named = (path) => (typeof path === 'number' ? (names.get(path) ?? 'a file') : inShort(path));
    const { openSync, closeSync } = fs;
    const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;
    fs.openSync = (path, flags, ...rest) => {
      const isWritten =
        typeof flags === 'number'
          ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0
          : /[wa+]/.test(flags ?? 'r');
      if (isWritten) point(`before open ${inShort(path)}`);
      const descriptor = within(() => openSync(path, flags, ...rest));
      if (isWritten) names.set(descriptor, inShort(path));
      else names.delete(descriptor);
      return descriptor;
    };
    fs.closeSync = (descriptor) => {
      // Closing it lets a lock go.
      if (named(descriptor).endsWith('lock')) point(`before close ${named(descriptor)}`);
      names.delete(descriptor);
      return closeSync(descriptor);
    };
    const isTerminal = (path) => path === 1 || path === 2;
    for (const name of ['writeSync', 'writeFileSync', 'appendFileSync']) {
      stopBefore(fs, name, (path) => (isTerminal(path) ? null : `before write ${named(path)}`));
    }
    for (const name of [
      'rename',
      'link',
      'unlink',
      'rm',
      'rmdir',
      'mkdir',
      'fsync',
      'ftruncate',
      'symlink',
    ]) {
      stopBefore(fs, `${name}Sync`, (path) => `before ${name} ${named(path)}`);
    }
    stopBefore(fs, 'readdirSync', (path) => (path === '/proc' ? SCAN : null));
  }

  function watchModules() {
    const load = Module._load;
    const seen = new Map();
    const watched = (name, value) => {
      if (seen.has(name)) return seen.get(name);
      const result = name === 'fs-native-extensions' ? watchLocks(value) : watchDatabase(value);
      seen.set(name, result);
      return result;
    };
    const isWatched = (name) =>
      name === 'fs-native-extensions' || name === '@photostructure/sqlite' || name === 'node:sqlite';
    Module._load = function (name, ...rest) {
      const value = load.call(this, name, ...rest);
      return isWatched(name) ? watched(name, value) : value;
    };
    const { getBuiltinModule } = process;
    if (getBuiltinModule !== undefined) {
      process.getBuiltinModule = (name) => {
        const value = getBuiltinModule.call(process, name);
        return value !== undefined && isWatched(name) ? watched(name, value) : value;
      };
    }
  }

  function watchLocks(locks) {
    const watched = { ...locks };
    for (const name of ['tryLock', 'waitForLock', 'unlock']) {
      stopBefore(watched, name, () => `before ${name}`);
    }
    return watched;
  }

  // Its own methods cannot be replaced, so that a class on top of them takes their place.
  function watchDatabase(sqlite) {
    const around = (text, work) => {
      point(`before ${text}`);
      const result = within(work);
      point(`after ${text}`);
      return result;
    };
    class DatabaseSync extends sqlite.DatabaseSync {
      exec(sql) {
        return isReading(sql) ? super.exec(sql) : around(inSql(sql), () => super.exec(sql));
      }

      prepare(sql) {
        const statement = super.prepare(sql);
        const run = (...values) => {
          const kind = values.find((value) => /^(?:intent|receipt|outcome|declared)$/.test(String(value)));
          return around([inSql(sql), kind ?? ''].join(' ').trim(), () => statement.run(...values));
        };
        return new Proxy(statement, {
          get: (_, name) => {
            if (name === 'run') return run;
            const value = statement[name];
            return typeof value === 'function' ? value.bind(statement) : value;
          },
        });
      }
    }
    return { ...sqlite, DatabaseSync };
  }
}

function inShort(path) {
  // Numbers and random words differ from run to run.
  return basename(String(path))
    .replace(/^\.writing-.*/, '.writing')
    .replace(/[0-9a-f]{8,}|\d+/g, '…');
}

const ACTS = /send-keys|kill-session|kill-pane|kill-server|respawn-pane|set-option|set-hook|run-shell/;

function inWords(argv) {
  const name = basename(String(argv[0]));
  if (name !== 'tmux')
    return [
      name,
      ...argv
        .slice(1)
        .filter((word) => /^[a-z-]+$/.test(word))
        .slice(0, 2),
    ].join(' ');
  const words = argv.slice(1).join(' ');
  const act = ACTS.exec(words)?.[0];
  const signal = act === 'run-shell' ? / kill -(TERM|KILL) /.exec(words)?.[1] : undefined;
  if (signal !== undefined) return `tmux SIG${signal}`;
  if (act === 'send-keys')
    return `tmux send-keys ${/-H/.test(words) ? 'text' : (/Enter|BSpace/.exec(words)?.[0] ?? '')}`.trim();
  return `tmux ${act ?? /list-sessions|list-panes|list-clients|capture-pane|display-message|if-shell/.exec(words)?.[0] ?? ''}`.trim();
}

function isReading(sql) {
  return /^\s*(?:PRAGMA|SELECT)/i.test(sql);
}

function inSql(sql) {
  return sql.trim().split(/\s+/).slice(0, 3).join(' ').slice(0, 40);
}
