import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { reopenDocumentSchema } from '../src/contract/close-schemas.ts';
import type { LifeRoom } from './life-room.ts';
import { closingOf, expect } from './life-words.ts';
import { NotReached } from './until.ts';

/** The agent's own retention deletes the conversation of a closed session; it comes back from the copy. */
export async function playForgotten(room: LifeRoom): Promise<void> {
  const { specimen, dwelling, rollcall, step } = room;
  const name = `${specimen.kind}-forgotten`;
  const actor = await room.start(name);
  const tag = await room.turn(actor);
  const conversation = await step(
    'close',
    async () => {
      const { receipt } = closingOf(await rollcall('close', name, '--json'));
      const [kept] = receipt?.conversations ?? [];
      if (kept === undefined) throw new NotReached('the receipt names no conversation');
      expect(kept.isProven, `it is not proven: ${kept.lacks}`);
      expect(kept.copy !== null || !specimen.deletesConversations, `no copy is kept: ${kept.notKept}`);
      return kept;
    },
    ({ copyBytes, notKept }) => `proven; ${notKept ?? `a copy of ${copyBytes} bytes`}`,
  );
  if (!specimen.deletesConversations) return;
  await step(
    'its agent deletes it',
    async () => {
      const files = filesNamed(dwelling.home, conversation.conversation);
      expect(files.length > 0, `no file of ${conversation.conversation} was found`);
      for (const file of files) rmSync(file);
      return files.length;
    },
    (count) => `${count} ${count === 1 ? 'file' : 'files'} deleted`,
  );
  await step(
    'reopen, another turn',
    async () => {
      const document = v.parse(reopenDocumentSchema, await rollcall('reopen', name, '--json'));
      await room.turnAfter(await room.returned(name), tag);
      room.tmux.run('kill-session', '-t', `=${name}`);
      await rollcall('close', name, '--json');
      return document.putBack;
    },
    (putBack) => `${putBack.length} put back; the model was asked with the earlier turn`,
  );
}

// Each of them has the conversation's id, or the first part of it, in the name of its file.
function filesNamed(home: string, conversation: string): string[] {
  const short = conversation.slice(0, 8);
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`${conversation}.jsonl`) || path.endsWith(`-${short}.jsonl`))
    .map((path) => join(home, path))
    .filter((path) => statSync(path).isFile());
}
