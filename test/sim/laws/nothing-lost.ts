import { type Act, wordsOf } from './acts.ts';
import { type Deed, isClose } from './deeds.ts';
import type { Law, Verdict } from './law.ts';
import type { Scene } from './scene.ts';
import { GLANCE_MS } from './shown.ts';

export const nothingLost: Law = {
  name: 'nothing-lost',
  sentence:
    'before anything is done an archive holds screens and conversation; what is gone has a receipt; no work tree is touched',
  watch(scene) {
    const { deeds } = scene;
    const removed = new Set<Deed>();
    const begunMs = new Map<string, number>();
    return {
      before(act) {
        const { deed, doing } = act;
        if (deed === null || !isClose(deed)) return null;
        if (doing.what === 'kill-session' && deed.closing.sleep === null) removed.add(deed);
        return archived(scene, act, deed, begunMs);
      },
      on(entry) {
        if (entry.what === 'conversation') begunMs.set(String(entry.detail), entry.at);
        if (entry.what === 'git' && entry.by.startsWith('rollcall:'))
          return `${entry.by} changed ${entry.cwd}`;
        if (entry.what !== 'recorded' || entry.kind !== 'outcome') return null;
        const deed = deeds.all.findLast(
          (one) => one.install === entry.install && one.entry.sequence === entry.cause,
        );
        const isDone =
          deed?.outcomes.at(-1)?.body.result === 'done' || (deed !== undefined && removed.has(deed));
        if (deed === undefined || !isClose(deed) || !isDone || hasReceipt(scene, deed)) return null;
        return `${deed.entry.session?.name} was ended, and no receipt tells of it`;
      },
      atEnd() {
        const bare = [...removed].find((deed) => !hasReceipt(scene, deed));
        return bare === undefined
          ? null
          : `${bare.entry.session?.name} was removed, and no receipt tells of it`;
      },
    };
  },
};

// Somebody else may have closed it first.
function hasReceipt({ kept }: Scene, { install, receipts, entry }: Deed): boolean {
  return receipts.length > 0 || kept.facts(install, entry.session?.key ?? '')?.closed != null;
}

function archived(
  { kept, machine }: Scene,
  act: Act,
  { install, closing }: Deed,
  begunMs: ReadonlyMap<string, number>,
): Verdict {
  const { session, doing, truth } = act;
  const files = closing.archive === null ? null : kept.archive(install, closing.archive);
  if (files === null) return `${act.by} ${wordsOf(act)}, and no archive was made`;
  if (session === null || truth === null || closing.isForced) return null;
  // It takes back what it has typed itself, whatever the conversation has become meanwhile.
  if (doing.what === 'press' && doing.key === 'BSpace') return null;
  const whole = [...files.values()].join('\n');
  // One that has begun since the last look right before the act (docs/LAWS.md, 3).
  const isNew = (conversation: string) =>
    machine.clock.ms - (begunMs.get(conversation) ?? Number.NEGATIVE_INFINITY) <= GLANCE_MS;
  const unkept = truth.conversations.find((one) => !whole.includes(one) && !isNew(one));
  if (unkept !== undefined)
    return `${act.by} ${wordsOf(act)}, and its archive does not name conversation ${unkept}`;
  if (doing.what !== 'kill-session') return null;
  // What it said on its way out is kept beside the archive if that is possible; else the receipt tells of it.
  if (machine.installs.get(install)?.objection() != null) return null;
  for (const { panes } of session.windows) {
    for (const { id, screen } of panes) {
      const lines = screen.lines.map((line) => line.trim()).filter((line) => line !== '');
      const texts = [...files]
        .filter(([name]) => name.startsWith(`pane-${id.slice(1)}.`))
        .map(([, text]) => text);
      const isKept = texts.some((text) => lines.every((line) => text.includes(line)));
      if (lines.length > 0 && !isKept)
        return `${act.by} ${wordsOf(act)}, and what ${id} shows is not archived`;
    }
  }
  return null;
}
