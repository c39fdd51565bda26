import type { Plant } from './plant.ts';

/** A deed would notice that its intent is not open. */
const UNGUARDED = {
  file: 'src/engine/act/still-ours.ts',
  text: 'if (folded.openIntents.get(sequence)?.hash !== hash) {',
  becomes: 'if (folded.openIntents.get(sequence)?.hash !== hash && sequence < 0) {',
};

/** Bugs in what is recorded, kept, counted and waited for. */
export const RECORD_PLANTS: readonly Plant[] = [
  {
    name: 'no-intent',
    sentence: 'acts without recording an intent first',
    edits: [
      {
        file: 'src/engine/act/deed.ts',
        text: "  return recordStep(hands, 'intent', { kind: 'intent', action, session, body });\n",
        becomes:
          "  if (action !== 'close' && action !== 'hibernate')\n    return recordStep(hands, 'intent', { kind: 'intent', action, session, body });\n  return hands.ledger.facts().head as LedgerEntry;\n",
      },
      UNGUARDED,
    ],
    breaks: ['intent-first', 'one-outcome'],
  },
  {
    name: 'recovers-the-living',
    sentence: 'brings to an end what a living process is at',
    edits: [
      { file: 'src/engine/act/recover.ts', text: "if (taken.state !== 'held') continue;", becomes: '' },
      UNGUARDED,
      {
        file: 'src/engine/act/recover.ts',
        text: '      taken.hold.release();\n',
        becomes: "      if (taken.state === 'held') taken.hold.release();\n",
      },
    ],
    breaks: ['one-outcome', 'intent-first'],
  },
  {
    name: 'no-grace',
    sentence: 'closes what it has chosen at once',
    edits: [
      {
        file: 'src/core/reaper/watch-round.ts',
        text: 'const isOver = now.awakeMs - chosen.sinceMs >= policy.graceMs;',
        becomes: 'const isOver = true;',
      },
    ],
    breaks: ['grace-and-budget'],
  },
  {
    name: 'hour-of-a-minute',
    sentence: 'counts only the closes of the last minute',
    edits: [
      {
        file: 'src/core/reaper/budget.ts',
        text: 'entries.filter((entry) => ageOf(entry, here) < HOUR);',
        becomes: 'entries.filter((entry) => ageOf(entry, here) < HOUR / 60);',
      },
    ],
    breaks: ['grace-and-budget'],
  },
  {
    name: 'no-receipt',
    sentence: 'leaves no receipt of a close',
    edits: [
      {
        file: 'src/engine/act/close/carry-out.ts',
        text: "  await deed.receipt(receipt);\n  return { session, body: { result: 'done' }, value: { state: 'closed', receipt } };\n",
        becomes: "  return { session, body: { result: 'done' }, value: { state: 'closed', receipt } };\n",
      },
    ],
    breaks: ['nothing-lost'],
  },
  {
    name: 'chain-begins-anew',
    sentence: 'ties every entry of the ledger to its beginning',
    edits: [
      {
        file: 'src/core/ledger/chain.ts',
        text: 'previous: previous.hash });',
        becomes: 'previous: BEGINNING.hash });',
      },
    ],
    breaks: ['ledger-verifies'],
  },
  {
    name: 'second-agent',
    sentence: 'reopens a conversation that an agent has',
    edits: [
      {
        file: 'src/engine/act/reopen/may-start.ts',
        text: "  if (living !== null) return { state: 'lives', ...living };\n",
        becomes: '',
      },
      {
        file: 'src/engine/act/reopen/may-start.ts',
        text: '  return before ?? (await outlived(hands, whole, sessions, entries));\n',
        becomes: '  return entries.length < 0 ? before : null;\n',
      },
    ],
    breaks: ['one-agent-a-conversation'],
  },
  {
    name: 'never-due',
    sentence: 'never closes what was declared complete',
    edits: [
      {
        file: 'src/engine/settle/create-settler.ts',
        text: "if (mode !== 'on' || isStopped",
        becomes: "if (mode !== 'on' || !isStopped",
      },
    ],
    breaks: ['complete-goes'],
    isAboutTheEnd: true,
  },
  {
    name: 'vetoed-for-good',
    sentence: 'sets everything aside that it has ever looked at closely',
    edits: [
      {
        file: 'src/core/reaper/conclude.ts',
        text: '  if (nominee === null || examined === null) return { memory, events, action: NOTHING };\n',
        becomes:
          "  if (nominee === null || examined === null) return { memory, events, action: NOTHING };\n  if (nominee.purpose === 'choose') return { ...watchAnew(memory, nominee.key), events };\n",
      },
    ],
    breaks: ['idle-goes'],
    isAboutTheEnd: true,
  },
  {
    name: 'gone-still-told',
    sentence: 'goes on telling of sessions that have ended',
    edits: [
      {
        file: 'src/engine/daemon/take-round.ts',
        text: '      const looked = await parts.look();\n',
        becomes:
          '      const found = await parts.look();\n      const before = last?.roll ?? found;\n      const looked = found.sessions.length < before.sessions.length ? before : found;\n',
      },
    ],
    breaks: ['death-is-told'],
  },
  {
    name: 'waits-for-ever',
    sentence: 'waits without end for a process that does not end',
    edits: [
      {
        file: 'src/engine/act/close/processes.ts',
        text: 'if (living.length === 0 || awake(hands) >= endsAt) return living;',
        becomes: 'if (living.length === 0 || Number.isNaN(endsAt)) return living;',
      },
    ],
    breaks: ['no-deadlock', 'one-outcome'],
    isAboutTheEnd: true,
  },
];
