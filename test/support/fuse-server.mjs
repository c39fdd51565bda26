// A file system of its own (FUSE), which answers until it is told to die: `node fuse-server.mjs FOLDER DIE-FILE CACHE-SECONDS TREE`.
// TREE is JSON: a text is a file, an object a folder. Once DIE-FILE is there every request is taken and none is answered, as by a
// server whose network is gone: whoever asks waits, and nothing can end that. With `git` as DIE-FILE it dies of the first git.
// It writes `mounted` when it is ready, and speaks the kernel's protocol itself, because libfuse is on few machines.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

const [folder, dieFile, cacheSeconds, tree] = process.argv.slice(2);
const SECONDS = BigInt(cacheSeconds);
const [ENOENT, ENOSYS] = [2, 38];
const nodes = [null];
const addNode = (content) => nodes.push({ content, children: new Map() }) - 1;
const plant = (content) => {
  const id = addNode(content);
  if (typeof content !== 'string')
    for (const [name, below] of Object.entries(content)) nodes[id].children.set(name, plant(below));
  return id;
};
plant(JSON.parse(tree));

const device = await open('/dev/fuse', 'r+');
const options = `fd=3,rootmode=40000,user_id=${process.getuid()},group_id=${process.getgid()},allow_other`;
const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'dead', folder], {
  stdio: ['ignore', 'ignore', 'inherit', device.fd],
});
mount.on('exit', (code) => {
  if (code !== 0) process.exit(1);
  writeSync(1, 'mounted\n');
});

let isDead = false;
const request = Buffer.alloc(1024 * 1024 + 4096);
for (;;) {
  const bytesRead = await nextRequest();
  if (bytesRead === 0) break;
  const [opcode, unique, node, pid] = [
    request.readUInt32LE(4),
    request.readBigUInt64LE(8),
    Number(request.readBigUInt64LE(16)),
    request.readUInt32LE(32),
  ];
  isDead ||= dieFile === 'git' ? nameOf(pid) === 'git' : existsSync(dieFile);
  const answer = isDead ? null : answerTo(opcode, node, request.subarray(40, bytesRead));
  if (answer !== null) await device.write(reply(unique, answer));
}

// Before it is mounted there is nothing to be read, and the kernel says so.
async function nextRequest() {
  try {
    return (await device.read(request, 0, request.length, null)).bytesRead;
  } catch (error) {
    if (error.code === 'ENODEV') return 0;
    if (error.code !== 'EPERM') throw error;
    await new Promise((resolve) => setTimeout(resolve, 2));
    return nextRequest();
  }
}

function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

// A number is an error; null is no answer at all.
function answerTo(opcode, node, body) {
  switch (opcode) {
    case 26:
      return init();
    case 1: {
      const child = nodes[node].children.get(body.toString('utf8', 0, body.indexOf(0)));
      // With nothing behind it the entry says that there is none, for as long as any other is believed.
      return entry(child ?? 0);
    }
    case 3:
      return Buffer.concat([numbers(SECONDS, 0n), attributes(node)]);
    case 14:
    case 27:
      return numbers(0n, 0n);
    case 15: {
      const [from, size] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)];
      return Buffer.from(nodes[node].content).subarray(from, from + size);
    }
    case 28:
      return body.readBigUInt64LE(8) === 0n ? listing(node) : Buffer.alloc(0);
    case 17: {
      const facts = Buffer.alloc(80);
      facts.writeUInt32LE(4096, 40);
      facts.writeUInt32LE(255, 44);
      return facts;
    }
    case 18:
    case 25:
    case 29:
    case 34:
      return Buffer.alloc(0);
    case 2:
    case 36:
    case 42:
      return null;
    default:
      return ENOSYS;
  }
}

function init() {
  const facts = Buffer.alloc(64);
  facts.writeUInt32LE(7, 0);
  facts.writeUInt32LE(31, 4);
  facts.writeUInt32LE(65536, 20);
  return facts;
}

function entry(child) {
  if (child === 0 && SECONDS === 0n) return ENOENT;
  return Buffer.concat([numbers(BigInt(child), 0n, SECONDS, SECONDS, 0n), attributes(child || 1)]);
}

function attributes(node) {
  const { content } = nodes[node];
  const isFile = typeof content === 'string';
  const facts = Buffer.alloc(88);
  facts.writeBigUInt64LE(BigInt(node), 0);
  facts.writeBigUInt64LE(BigInt(isFile ? Buffer.byteLength(content) : 4096), 8);
  facts.writeUInt32LE(isFile ? 0o100644 : 0o040755, 60);
  facts.writeUInt32LE(isFile ? 1 : 2, 64);
  facts.writeUInt32LE(process.getuid(), 68);
  facts.writeUInt32LE(process.getgid(), 72);
  facts.writeUInt32LE(4096, 80);
  return facts;
}

function listing(node) {
  const entries = [...nodes[node].children].map(([name, child], index) => {
    const text = Buffer.from(name);
    const row = Buffer.alloc(24 + Math.ceil(text.length / 8) * 8);
    row.writeBigUInt64LE(BigInt(child), 0);
    row.writeBigUInt64LE(BigInt(index + 1), 8);
    row.writeUInt32LE(text.length, 16);
    row.writeUInt32LE(typeof nodes[child].content === 'string' ? 8 : 4, 20);
    text.copy(row, 24);
    return row;
  });
  return Buffer.concat(entries);
}

function numbers(...values) {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => {
    bytes.writeBigUInt64LE(value, index * 8);
  });
  return bytes;
}

function reply(unique, answer) {
  const body = typeof answer === 'number' ? Buffer.alloc(0) : answer;
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeInt32LE(typeof answer === 'number' ? -answer : 0, 4);
  head.writeBigUInt64LE(unique, 8);
  return Buffer.concat([head, body]);
}
