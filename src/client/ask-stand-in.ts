import { connect } from 'node:net';

/** How long a daemon may take to say that it is at it; one that hangs says nothing. */
const SIGN_MS = 300;
/** How long it may be at it. */
const ANSWER_MS = 15_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What the daemon answered instead of a look in this process, or why it did not. */
export type StandInAnswer =
  | { readonly state: 'answered'; readonly body: Buffer }
  | { readonly state: 'none'; readonly why: string };

/**
 * Asks the daemon on its socket. Whatever goes wrong, it ends soon and changes nothing. It speaks HTTP itself: Node's own client
 * takes longer to load than the daemon takes to look at ten sessions.
 */
export function askStandIn(
  socketPath: string,
  path: string,
  headers: Readonly<Record<string, string>> & { readonly 'Rollcall-View': string },
): Promise<StandInAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ path: socketPath });
    const chunks: Buffer[] = [];
    let [size, wanted] = [0, 0];
    let timer = setTimeout(() => giveUp(`no sign of it within ${SIGN_MS} ms`), SIGN_MS);
    const over = (answer: StandInAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (why: string) => over({ state: 'none', why });
    socket.once('error', (error: NodeJS.ErrnoException) => giveUp(error.code ?? error.message));
    socket.once('end', () => giveUp('its answer broke off'));
    socket.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp('no answer in time'), ANSWER_MS);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) giveUp('its answer is too large');
      if (size < wanted) return;
      const answer = answerIn(Buffer.concat(chunks), headers['Rollcall-View']);
      if (answer.state === 'part') wanted = answer.wanted;
      else over(answer);
    });
    const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`);
  });
}

interface Part {
  readonly state: 'part';
  /** How many bytes there will be; 0 where that is not said yet. */
  readonly wanted: number;
}

/** The answer, where all of it is there: behind its signs, as long as it says that it is. */
function answerIn(got: Buffer, view: string, from = 0): StandInAnswer | Part {
  const end = got.indexOf('\r\n\r\n', from);
  if (end < 0) return { state: 'part', wanted: 0 };
  const head = got.toString('latin1', from, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const body = end + 4;
  if (status >= 100 && status < 200) return answerIn(got, view, body);
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1]);
  if (Number.isNaN(status) || Number.isNaN(length)) {
    return { state: 'none', why: 'what answers there is no rollcall' };
  }
  if (got.length < body + length) return { state: 'part', wanted: body + length };
  // Whoever else listens there, or an earlier version, does not say what its looks depend on.
  const echo = /^rollcall-view: *(.*)$/im.exec(head)?.[1]?.trim();
  if (status === 200 && echo === view) return { state: 'answered', body: got.subarray(body, body + length) };
  if (status === 200) return { state: 'none', why: 'what answers there does not say that it sees the same' };
  return { state: 'none', why: whyIn(got.toString('utf8', body, body + length)) ?? `status ${status}` };
}

function whyIn(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}
