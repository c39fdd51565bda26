import type { Result } from './result.ts';

/** The page that tells what a whole run found. */
export function page({ mutants, killed, listed, survived }: Result, cpuMs: number, unfit: number): string {
  const folders = [...new Set(mutants.map(({ file }) => folderOf(file)))].sort();
  const rows = folders.map((folder) => {
    const count = (all: Result['mutants']) => all.filter(({ file }) => folderOf(file) === folder).length;
    return `| \`${folder}\` | ${count(mutants)} | ${count(killed)} | ${count(listed)} | ${count(survived)} |`;
  });
  return `# Mutants

Written by \`npm run mutants -- --write\`, from one state of the sources.

A mutant is the program with one thing broken: a rule that never fires, a check that is always met, a guard without objection,
a condition that is always true or never, one part of an \`&&\` or \`||\` left out, a boundary moved by one, \`some\` for \`every\`, an
entry missing from a list, a step not taken, another number. It is killed when a test goes red that is green without it. A mutant
that no test kills shows a test that is missing, or a piece of the program that does nothing.

Broken is whatever decides about a close, a sleep, a signal, a removal or an answer. What is only read by people (the words of a
reason) is left alone.

**${mutants.length} mutants, ${killed.length} killed, ${listed.length} listed with a reason, ${survived.length} survived.** ${(cpuMs / 60_000).toFixed(0)} minutes of processor time. ${unfit === 0 ? 'Every test tells the same when it is run again.' : `${unfit} tests were not asked, which tell something else when they are run again.`}

| folder | mutants | killed | listed | survived |
|---|---:|---:|---:|---:|
${rows.join('\n')}

\`test/mutants/excused.json\` lists the mutants that may survive, and why. A mutant that is listed and killed, or that is none any
more, is an error.

## Run it

\`\`\`sh
npm run mutants                                   # all of it
npm run mutants -- --only src/core/checks         # a folder, or a file
npm run mutants -- --only src/core/checks --list  # what would be broken
\`\`\`

It ends with 0 if no mutant survived that is not listed, 1 otherwise, 2 if it was called in a wrong way.

## How it works

All mutants of a source are in one text, each behind a switch of its own, so that it is compiled and loaded once. In one process
every test runs once without a mutant, which shows which tests reach which switch. Then each mutant is switched on, and the tests
that reach it run, nearest first, until one goes red; that one runs again without it and must be green. Where a mutant takes
effect while a file is loaded, or a test works out its values then, everything is loaded anew. A mutant that never ends is killed:
it asks its switches a hundred times as often as the test does otherwise. Only tests that start no process take part.
`;
}

function folderOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}
