import type { Told } from './batch.ts';
import { RECIPES, type Sample, type SampleName } from './sample.ts';
import type { Series } from './series.ts';

/** All of them counted, as a page. */
export function page(
  results: readonly (readonly [Series, Told])[],
  samples: ReadonlyMap<SampleName, Sample>,
  every: number,
): string {
  const sum = (pick: (told: Told) => number) => results.reduce((count, [, told]) => count + pick(told), 0);
  const broken = results.flatMap(([, { violations }]) => violations);
  const names = [...new Set(results.map(([{ sample }]) => sample))];
  const part =
    every === 1 ? '' : ` This run took one place of ${every}; without \`--every\` it takes all of them.`;
  return `# Damage

Written by \`npm run damage -- --write\`, from one state of the sources.

Real ledgers are damaged, one byte at a time, and used: a file is cut at every byte of its last 64 KiB, or one bit is turned in
every byte of a small one. Then the ledger is verified and repaired; every 16th case is also read in every other way, its facts
are folded, an entry is recorded onto it and onto the repaired one.

- What is read is what was recorded, from the first entry on. Where anything is missing, it is called damaged.
- A damaged end takes no entry. A damaged ledger never looks whole again without a repair.
- A look, a refused entry and a repair leave the damaged files as they are, byte by byte.
- The repair keeps every entry that has one whole copy in the database or its journal, up to the first that has none, and can be
  recorded onto.
- Nothing hangs, and nothing ends in an error without a kind and a hint.

**${sum(({ cases }) => cases)} cases (${sum(({ thorough }) => thorough)} in every way), ${broken.length} violations.** In ${sum(({ lossless }) => lossless)} no entry was lost.${part}

| ledger | file | damage | places | whole | called damaged | no entry lost | violations |
|---|---|---|---:|---:|---:|---:|---:|
${results.map(row).join('\n')}

${names.map((name) => `- \`${name}\`: ${RECIPES[name].text}; ${samples.get(name)?.entries.length} entries`).join('\n')}

\`whole\`: the byte means nothing, or what it means is written elsewhere too.
`;
}

function row([{ sample, file, how }, { cases, reasons, lossless, violations }]: readonly [
  Series,
  Told,
]): string {
  const { whole = 0, ...others } = reasons;
  const damaged = Object.entries(others).map(([reason, count]) => `${reason} ${count}`);
  const what = how === 'cut' ? 'cut' : 'bit turned';
  const cells = [
    sample,
    `\`${file}\``,
    what,
    cases,
    whole,
    damaged.join(', ') || 0,
    lossless,
    violations.length,
  ];
  return `| ${cells.join(' | ')} |`;
}
