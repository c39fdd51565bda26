import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** A thread as the daemon of Codex 0.166.0 tells of it; recorded, with the parts that are not read left out. */
export const thread = (id: string, over: object = {}): Record<string, unknown> => ({
  id,
  sessionId: id,
  forkedFromId: null,
  parentThreadId: null,
  preview: 'SILENT 12',
  ephemeral: false,
  historyMode: 'paginated',
  status: { type: 'idle' },
  path: null,
  cwd: '/home/dev/repo/codex',
  cliVersion: '0.166.0',
  originator: 'codex-tui',
  source: 'vscode',
  canAcceptDirectInput: true,
  threadSource: 'user',
  name: null,
  turns: [],
  ...over,
});

export const ACTIVE = { status: { type: 'active', activeFlags: [] as string[] } };
export const idOf = (number: number): string =>
  `01a1de${String(number).padStart(2, '0')}-5a2e-7862-bb4d-a0b831e2e157`;

/** A daemon on the control socket of a Codex home. What it says is its fields; every request is written down. */
export class FakeAppServer {
  threads: Record<string, unknown>[] = [];
  /** Commands that still run, by thread. */
  terminals: Record<string, number> = {};
  userAgent = 'codex-tui/0.166.0 (Debian 12.0.0; x86_64) tmux-256color (codex-tui; 0.166.0)';
  /** Answers in its place; undefined lets it answer itself, null keeps it silent. */
  answer: (method: string, params: Record<string, unknown>) => unknown = () => undefined;
  /** Written before every answer, as it is. */
  noise: Buffer = Buffer.alloc(0);
  readonly requests: { method: string; params: Record<string, unknown> }[] = [];
  readonly closings: number[] = [];
  connections = 0;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  async listen(): Promise<string> {
    const real = join(this.home, 'sock');
    mkdirSync(join(this.home, 'app-server-control'), { recursive: true });
    symlinkSync(real, join(this.home, 'app-server-control/app-server-control.sock'));
    this.#server = createServer().on('upgrade', (request, socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      const key = request.headers['sec-websocket-key'];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      let received = Buffer.alloc(0);
      socket.on('data', (bytes: Buffer) => {
        received = Buffer.concat([received, bytes]);
        for (let frame = take(received); frame; frame = take(received)) {
          received = received.subarray(frame.length);
          if (frame.code === 8) this.closings.push(8);
          if (frame.code === 1) this.#hear(socket, frame.text);
        }
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(real, resolve));
    return real;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)));
  }

  #hear(socket: Socket, text: string): void {
    const { id, method, params } = JSON.parse(text);
    this.requests.push({ method, params });
    if (id === undefined) return;
    const own = this.answer(method, params);
    const result = own === undefined ? this.#tell(method, params?.threadId) : own;
    if (result === null) return;
    socket.write(Buffer.concat([this.noise, frameOf(JSON.stringify({ id, result }))]));
  }

  #tell(method: string, threadId: string): unknown {
    if (method === 'initialize') return { userAgent: this.userAgent, codexHome: this.home };
    if (method === 'thread/loaded/list') return { data: this.threads.map(({ id }) => id), nextCursor: null };
    if (method === 'thread/read') return { thread: this.threads.find(({ id }) => id === threadId) };
    const count = this.terminals[threadId] ?? 0;
    return { data: Array.from({ length: count }, () => ({ command: 'sleep 30' })), nextCursor: null };
  }
}

export function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  if (body.length < 126) return Buffer.concat([Buffer.from([0x81, body.length]), body]);
  if (body.length < 65_536)
    return Buffer.concat([Buffer.from([0x81, 126, body.length >> 8, body.length & 255]), body]);
  const head = Buffer.alloc(10);
  head.set([0x81, 127]);
  head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

function take(bytes: Buffer): { code: number; text: string; length: number } | null {
  if (bytes.length < 6) return null;
  let size = (bytes[1] as number) & 127;
  let at = 2;
  if (size === 126) {
    size = bytes.readUInt16BE(2);
    at = 4;
  }
  if (bytes.length < at + 4 + size) return null;
  const mask = bytes.subarray(at, at + 4);
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + size));
  for (let index = 0; index < body.length; index += 1) body[index]! ^= mask[index % 4]!;
  return { code: (bytes[0] as number) & 15, text: body.toString('utf8'), length: at + 4 + size };
}
