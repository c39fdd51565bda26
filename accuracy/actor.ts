import { promptFor } from './model/order.ts';
import type { RequestLog, RequestRecord } from './model/request-log.ts';
import type { PrivateTmux } from './private-tmux.ts';
import type { Dialog, Specimen } from './specimens/specimen.ts';
import type { Timeline, Truth } from './truth.ts';
import { createTimeline } from './truth.ts';
import { NotReached, until, wait } from './until.ts';

/** One session with an agent in it, driven by keys, with the truth about it on record. */
export interface Actor {
  readonly session: string;
  readonly timeline: Timeline;
  readonly specimen: Specimen;
  readonly log: RequestLog;
  screen(): Promise<string>;
  /** Presses keys one by one, slowly enough that none is taken for a part of another. */
  keys(keys: readonly string[]): Promise<void>;
  /** Types without sending, and waits until the text is there. */
  type(text: string): Promise<void>;
  /** Types a line and sends it. */
  submit(text: string): Promise<void>;
  /** Gives the model an order through the agent; comes back with its tag once the model has it. */
  order(verb: string, argument: string, truth: Truth): Promise<string>;
  /** Waits until a dialog is there. */
  reach(dialog: Dialog, timeoutMs?: number): Promise<void>;
  mark(truth: Truth, at?: number): void;
  panePid(): number;
}

export const CHANGING: Truth = { state: 'changing', activity: null, mayClose: true };

let lastTag = 0;

export function createActor(
  session: string,
  specimen: Specimen,
  { tmux, log }: { readonly tmux: PrivateTmux; readonly log: RequestLog },
): Actor {
  const target = `=${session}:`;
  const timeline = createTimeline();
  const screen = async () => (await tmux.see(session)).screen;
  const keys = async (names: readonly string[]) => {
    for (const [index, name] of names.entries()) {
      if (index > 0) await wait(400);
      tmux.run('send-keys', '-t', target, name);
    }
  };
  const mark = (truth: Truth, at = Date.now()) => timeline.mark(at, truth);
  const type = async (text: string) => {
    tmux.run('send-keys', '-t', target, '-l', text);
    const shown = await until(async () => bare(await screen()).includes(bare(text)), 20_000);
    if (!shown) throw new NotReached(`what was typed did not show: ${text}`);
    // Agents take a return right after fast typing for a part of a paste.
    await wait(250);
  };
  const submit = async (text: string) => {
    await type(text);
    await keys(['Enter']);
  };
  return {
    session,
    timeline,
    specimen,
    log,
    screen,
    keys,
    type,
    submit,
    mark,
    async order(verb, argument, truth) {
      lastTag += 1;
      const tag = `k${lastTag}`;
      mark(CHANGING);
      await submit(promptFor({ verb, argument, tag }));
      const first = () => log.of(tag).find(({ role }) => role !== 'side') ?? null;
      let received: RequestRecord | null = await until(first, 10_000, 30);
      if (!received) {
        await keys(['Enter']);
        received = await until(first, 80_000, 30);
      }
      if (!received) throw new NotReached(`the order "${verb}" did not reach the model`);
      mark(truth, received.receivedAt);
      return tag;
    },
    async reach({ pattern }, timeoutMs = 20_000) {
      if (!(await until(async () => pattern.test(await screen()), timeoutMs))) {
        throw new NotReached(`the dialog ${pattern} did not come`);
      }
    },
    panePid: () => Number(tmux.run('display-message', '-p', '-t', target, '#{pane_pid}')),
  };
}

// What wraps, boxes and pads a text on a screen.
function bare(text: string): string {
  return text.replace(/[\s│┃|▌█]/g, '');
}
