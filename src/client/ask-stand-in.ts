import { request } from 'node:http';

/** How long a daemon may take to say that it is at it; one that hangs says nothing. */
const SIGN_MS = 300;
/** How long it may be at it. */
const ANSWER_MS = 15_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What the daemon answered in the place of a look of one's own, or why it did not. */
export type StandInAnswer =
  | { readonly state: 'answered'; readonly text: string }
  | { readonly state: 'none'; readonly why: string };

/** Asks the daemon on its socket. Whatever goes wrong, it is over soon, and nothing was changed. */
export function askStandIn(
  socketPath: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<StandInAnswer> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, path, agent: false, headers: { Host: 'localhost', ...headers } });
    let timer = setTimeout(() => over(`no sign of it within ${SIGN_MS} ms`), SIGN_MS);
    const over = (why: string) => {
      clearTimeout(timer);
      asking.destroy();
      resolve({ state: 'none', why });
    };
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => over('no answer in time'), ANSWER_MS);
    };
    asking.once('information', heard);
    asking.once('error', (error: NodeJS.ErrnoException) => over(error.code ?? error.message));
    asking.once('response', (response) => {
      heard();
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) over('its answer is too large');
      });
      response.once('error', (error: NodeJS.ErrnoException) => over(error.code ?? error.message));
      response.once('end', () => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve(
          response.statusCode === 200
            ? { state: 'answered', text }
            : { state: 'none', why: whyIn(text) ?? `status ${response.statusCode}` },
        );
      });
    });
    asking.end();
  });
}

function whyIn(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}
