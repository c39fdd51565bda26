import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

/** What the link tells its owner; after `onEnd` nothing more comes. */
export interface WebSocketEvents {
  onOpen(): void;
  onText(text: string): void;
  /** `isNobodyThere`: a socket that its server has left behind. */
  onEnd(why: string, isNobodyThere: boolean): void;
}

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

/** Connects to a Unix socket with the little of WebSocket that is needed: whole text frames. Hangs up on anything else. */
export function openWebSocket(socketPath: string, events: WebSocketEvents) {
  const socket = connect(socketPath);
  let received: Buffer = Buffer.alloc(0);
  let isOpen = false;
  let isEnded = false;

  const end = (why: string, isNobodyThere = false): void => {
    if (isEnded) return;
    isEnded = true;
    socket.destroy();
    events.onEnd(why, isNobodyThere);
  };
  const takeHeader = (): boolean => {
    const at = received.indexOf('\r\n\r\n');
    if (at === -1) {
      if (received.length > MAX_HEADER_BYTES) end('no WebSocket answers');
      return false;
    }
    if (!/^HTTP\/1\.1 101 /.test(received.toString('latin1', 0, Math.min(at, 32)))) {
      end('no WebSocket answers');
      return false;
    }
    received = received.subarray(at + 4);
    isOpen = true;
    events.onOpen();
    return true;
  };
  const takeFrame = (): boolean => {
    const frame = frameAt(received);
    if (frame === 'more') return false;
    if (frame === 'broken') {
      end('the answer is no WebSocket message');
      return false;
    }
    received = received.subarray(frame.length);
    if (frame.code === TEXT) events.onText(frame.body.toString('utf8'));
    else if (frame.code === PING) socket.write(frameOf(PONG, frame.body));
    else if (frame.code === CLOSE) end('the server hung up');
    return true;
  };

  socket.on('connect', () =>
    socket.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    ),
  );
  socket.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    if (!isOpen && !takeHeader()) return;
    while (!isEnded && takeFrame());
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.message, error.code === 'ECONNREFUSED'));
  socket.on('close', () => end('the server hung up'));

  return {
    send: (text: string): void => {
      if (!isEnded) socket.write(frameOf(TEXT, Buffer.from(text)));
    },
    close: (): void => {
      if (isEnded) return;
      isEnded = true;
      // A polite end: without it the server writes a warning into its log each time.
      if (isOpen) socket.end(frameOf(CLOSE, Buffer.alloc(0)));
      else socket.destroy();
      socket.setTimeout(CLOSING_MS, () => socket.destroy());
      socket.removeAllListeners('data');
      socket.resume();
      socket.unref();
    },
  };
}

const CLOSING_MS = 200;

/** The first frame, with its length in bytes. */
function frameAt(bytes: Buffer) {
  if (bytes.length < 2) return 'more';
  const [first, second] = [bytes[0] as number, bytes[1] as number];
  const isWhole = (first & 0xf0) === 0x80;
  const isMasked = (second & 0x80) !== 0;
  if (!isWhole || isMasked) return 'broken';
  let size = second & 0x7f;
  let at = 2;
  if (size === 126) {
    if (bytes.length < 4) return 'more';
    size = bytes.readUInt16BE(2);
    at = 4;
  } else if (size === 127) {
    if (bytes.length < 10) return 'more';
    size = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  if (size > MAX_MESSAGE_BYTES) return 'broken';
  if (bytes.length < at + size) return 'more';
  return { code: first & 0x0f, body: bytes.subarray(at, at + size), length: at + size };
}

function frameOf(code: number, body: Buffer): Buffer {
  const mask = randomBytes(4);
  const head =
    body.length < 126
      ? Buffer.from([0x80 | code, 0x80 | body.length])
      : Buffer.from([0x80 | code, 0x80 | 126, body.length >> 8, body.length & 0xff]);
  const masked = Buffer.from(body.map((byte, index) => byte ^ (mask[index % 4] as number)));
  return Buffer.concat([head, mask, masked]);
}
