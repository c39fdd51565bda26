import * as v from 'valibot';
import { logDocumentSchema } from '../src/contract/ledger-schemas.ts';
import { receiptSchema } from '../src/core/close/receipt.ts';
import type { LifeRoom } from './life-room.ts';
import { expect, ownExitOf } from './life-words.ts';
import { turnEnd } from './turns.ts';
import { NotReached } from './until.ts';

/** An agent declares its work done with a tool call of its own, and the daemon closes it after that turn. */
export async function playSettled(room: LifeRoom): Promise<void> {
  const { specimen, dwelling, rollcall, step } = room;
  const name = `${specimen.kind}-passing`;
  const words = [specimen.command({}).split(' ')[0] ?? '', ...specimen.chosen.words];
  const actor = await room.start(name, { flags: ['--role', 'passing'], words });
  const processes = room.processesOf(actor);
  await rollcall('up', '--server', room.tmux.socketPath, '--json');
  try {
    await step(
      'complete, from inside',
      async () => {
        const working = { state: 'working', activity: 'working', mayClose: false } as const;
        await turnEnd(actor, await actor.order('run', dwelling.declaring, working));
        const { entries } = v.parse(logDocumentSchema, await rollcall('log', '--json'));
        const said = entries.find(({ body }) => JSON.stringify(body).includes('said from inside'));
        if (said === undefined)
          throw new NotReached(`nothing was declared: ${lastLines(await actor.screen())}`);
      },
      () => 'declared by a tool call of the agent',
    );
    await step(
      'closed by the daemon',
      async () => {
        await rollcall('wait', name, '--until', 'closed', '--timeout', '90s', '--json');
        await room.gone(processes, 1000);
        return receiptOf(room, name);
      },
      ({ receipt, rungs }) => `${rungs}; receipt ${receipt}`,
    );
  } finally {
    await rollcall('down', '--json').catch(() => undefined);
  }
}

async function receiptOf(room: LifeRoom, name: string) {
  const one = await room.session(name, '--lifecycle', 'closed');
  const { entries } = v.parse(logDocumentSchema, await room.rollcall('log', '--json'));
  const entry = entries.find(({ kind, body }) => kind === 'receipt' && body.receipt === one?.receipt);
  const receipt = v.parse(receiptSchema, entry?.body);
  expect(!receipt.isForced, 'it was closed by force');
  return { receipt: receipt.receipt, rungs: ownExitOf(receipt) };
}

function lastLines(screen: string): string {
  const lines = screen.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-12).join(' ⏎ ');
}
