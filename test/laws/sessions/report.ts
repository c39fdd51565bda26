import { FAULTS } from './faults.ts';
import type { Played } from './play.ts';

/** What was played, counted, as a page. */
export function page(results: readonly Played[]): string {
  const sum = (of: (one: Played) => number) => results.reduce((total, one) => total + of(one), 0);
  const sessions = sum((one) => one.sessions);
  const [closed, asleep, kept] = (['closed', 'asleep', 'kept'] as const).map((fate) =>
    sum(({ fates }) => fates[fate]),
  );
  const wrong = results.filter(({ wrongs }) => wrongs.length > 0).length;
  const cpu = sum(({ cpuSeconds }) => cpuSeconds);
  const counts = new Map<string, number>();
  for (const { counts: some } of results)
    for (const [name, count] of Object.entries(some)) counts.set(name, (counts.get(name) ?? 0) + count);
  const table = (title: string, first: string, unit = 'sessions') => {
    const rows = [...counts]
      .filter(([name]) => name.startsWith(`${first} `))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `| ${name.slice(first.length + 1)} | ${count} |`);
    return `## ${title}\n\n| | ${unit} |\n|---|---:|\n${rows.join('\n')}\n`;
  };
  const bound = (300 / Math.max(sessions, 1)).toFixed(2);
  return `# Sessions

Written by \`npm run sessions -- --write\`, from one state of the sources.

Real tmux servers with real programs, in a world of their own (pid and mount namespace). A seed decides what each session is: what runs in it,
what its agent is up to, who is there, what was declared, what its work tree lacks. So it is known beforehand whether it may go. The built
command, the library and the daemon then close, hibernate, wake and reopen; in some of them somebody types, attaches, renames, moves or
holds in the middle.

**${sessions} sessions in ${results.length} batches: ${closed} closed, ${asleep} put to sleep, ${kept} kept. Batches with anything
wrong: ${wrong}.** ${cpu.toFixed(0)} s of processor time, ${(cpu / Math.max(sessions, 1)).toFixed(2)} s a session.${
    wrong === 0 ? ` 0 of ${sessions}: below ${bound} % at 95 %.` : ''
  }

After each batch tmux, the kernel, the files and the ledger are asked, not what rollcall thinks of the sessions:

- What must stay stands, with the same panes, processes (pid and start time) and text; nobody typed into it or signalled it.
- What may go, and was asked for or due, went. A refusal names every reason that there is, and no other than what it cannot know.
- What went left no process, was asked as its agent wants to be asked, and has one receipt, with an archive of what it showed.
- Nothing was begun after somebody had come; nothing that was typed was sent; a hold that was answered holds.
- Every intent has one outcome, and \`rollcall verify\` finds the ledger and all archives whole.
- What sleeps wakes in its pane, what was closed reopens: the same program in the same folder, one agent for each conversation.
- Every file of every work tree, also below \`.git\`, has the same bytes, rights and time.
- Options, hooks, buffers and variables of the servers are the same; no process, socket or temporary file is left; innocents are untouched.

What \`rollcall\` itself says about when a step began decides whether it came after somebody; [RACES.md](RACES.md) has the tests
that stop it at each step.

\`npm run sessions -- --fault NAME\` takes a guard out of a copy of the built program, and has to end with 1: ${Object.keys(
    FAULTS,
  )
    .map((name) => `\`${name}\``)
    .join(', ')}.

${table('What they are', 'program')}
${table('What their agents do', 'mood')}
${table('Who cares for them', 'care')}
${table('People', 'people')}
${table('Their work trees', 'tree')}
${table('What goes on around', 'sweep')}
${table('What was asked for by name, and the answer', 'result')}
${table('What came in the middle', 'incident')}`;
}
