// Another program that writes to one settings file, one entry after the other, as agents and editors do: it reads the file,
// adds an entry, and writes it back. argv: FILE COUNT PAUSE_MS WAYS [text]. Prints how many entries it has written.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const [, , file, count, pauseMs, ways, kind] = process.argv;
const isText = kind === 'text';

/** How a program may write: each gets what is to be added, and reads the file itself. */
const WAYS = {
  rename: (add) => over(`${file}.theirs`, add(read())),
  lock: (add) => over(`${file}.lock`, add(read())),
  'in-place': (add) => writeFileSync(file, add(read())),
  recreate: (add) => {
    const text = add(read());
    if (existsSync(file)) unlinkSync(file);
    writeFileSync(file, text);
  },
  held: (add) => throughOpen('r+', add, () => wait(Math.random() * 6)),
  append: (add) => throughOpen('a+', add, () => {}),
  late: (add) => throughOpen('r+', add, () => wait(60)),
};

const chosen = ways.split(',');
for (let index = 0; index < Number(count); index += 1) {
  // Somebody who adds to a plugin does so only where there is one.
  while (isText && !existsSync(file)) wait(1);
  attempt(WAYS[chosen[index % chosen.length]], index);
  wait(Math.random() * Number(pauseMs));
}
console.log(count);

// The file may go away in the middle: that is for the writer to see, and to do again.
function attempt(write, index) {
  for (;;) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      return write((text) => added(text, index));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      if (!isText && !existsSync(file)) write = WAYS.rename;
    }
  }
}

function added(text, index) {
  if (isText) return `${text}// entry-${index};\n`;
  const settings = JSON.parse(text === '' ? '{}' : text);
  settings[`entry-${index}`] = index;
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function read() {
  return isText || existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function over(temporary, text) {
  writeFileSync(temporary, text, { flag: 'wx' });
  try {
    renameSync(temporary, file);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Keeps the file open from the first look to the last byte: what its name means by then does not matter. */
function throughOpen(flags, add, meanwhile) {
  if (!existsSync(file)) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  const open = openSync(file, flags);
  try {
    const text = add(readFileSync(open, 'utf8'));
    meanwhile();
    ftruncateSync(open, 0);
    meanwhile();
    writeSync(open, text, 0);
  } finally {
    closeSync(open);
  }
}

function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
