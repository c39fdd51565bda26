import { readFileSync } from 'node:fs';

/** A check that was run many times, and how its page tells the result. */
interface Check {
  readonly page: string;
  readonly what: string;
  readonly unit: string;
  /** Finds how many there were, and how many of them went wrong. */
  readonly result: RegExp;
  /** How to run it as often again. */
  readonly command: string;
}

export interface Result {
  readonly count: number;
  readonly wrong: number;
}

const CHECKS: readonly Check[] = [
  {
    page: 'SIMULATION',
    what: 'The engine lives through simulated days in which machines, people, agents and disks do what they can to make it break a law',
    unit: 'session-hours',
    result: /^\*\*[\d,]+ worlds, ([\d,]+) session-hours .*: ([\d,]+) violations\.\*\*/m,
    command: 'npm run sim -- --seeds 1000',
  },
  {
    page: 'SESSIONS',
    what: 'The built program closes, puts to sleep and keeps random sessions of a real tmux; wrong is a batch with anything wrong',
    unit: 'sessions',
    result: /^\*\*([\d,]+) sessions in [^*]*\swrong: ([\d,]+)\.\*\*/m,
    command: 'npm run sessions -- --count 10000',
  },
  {
    page: 'RACES',
    what: 'The built program is stopped between two of its steps, and something happens to the session that it closes',
    unit: 'interleavings',
    result: /^\*\*([\d,]+) interleavings, ([\d,]+) with a violation\.\*\*/m,
    command: 'npm run races',
  },
  {
    page: 'DAMAGE',
    what: 'A real ledger is cut or has a bit turned, is read, repaired and recorded onto',
    unit: 'cases',
    result: /^\*\*([\d,]+) cases [^*]*, ([\d,]+) violations\.\*\*/m,
    command: 'npm run damage',
  },
  {
    page: 'ACCURACY',
    what: 'Real agents are looked at while they work, ask and rest; wrong is one at work that was called idle or closable',
    unit: 'samples',
    result: /^\| \*\*all\*\* \| (\d+) \| \d+ \| \d+ \| \d+ \| (\d+) \|/m,
    command: 'npm run test:agents',
  },
];

/** What a page tells; null where it has no result yet. */
export function resultIn(page: string, { result }: Pick<Check, 'result'>): Result | null {
  const found = result.exec(page);
  if (found === null) return null;
  const [count = Number.NaN, wrong = Number.NaN] = found
    .slice(1)
    .map((text) => Number(text.replaceAll(',', '')));
  return { count, wrong };
}

/** What follows from so many without a fault: the rule of three. */
export function boundOf({ count, wrong }: Result): string {
  if (wrong > 0 || count === 0) return 'none';
  const percent = 300 / count;
  const share =
    percent < 0.01 ? `1 in ${Math.floor(count / 3).toLocaleString('en-US')}` : `${percent.toFixed(2)} %`;
  return `below ${share}`;
}

/** docs/RELIABILITY.md, from the results on the other pages. */
export function reliabilityMarkdown(
  read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8'),
): string {
  const rows = CHECKS.map((check) => {
    const { page, what, unit, command } = check;
    const result = resultIn(read(page), check);
    const told =
      result === null
        ? 'not run as a whole yet | | '
        : `${result.count.toLocaleString('en-US')} ${unit} | ${result.wrong} | ${boundOf(result)}`;
    return `| [${page}.md](${page}.md) | ${what} | ${told} | \`${command}\` |`;
  });
  return `# Reliability

Written by \`npm run docs\`, from the results on the pages that it links to. [LAWS.md](LAWS.md) has what is promised.

| page | what is done | how often | wrong | so, at 95 % | again with |
|---|---|---:|---:|---:|---|
${rows.join('\n')}

If nothing went wrong in N tries that are drawn alike, the share that goes wrong is below 3 ÷ N, with 95 % confidence. That holds for what is
drawn, not for what nobody thought of. Simulated worlds in which a law broke are mended and played again, so that their figure says less. Where cases are counted off and not drawn, such as the bytes of a ledger, it says only how many there were.

What each check cannot see stands on its page. Three more have no rate:

- [MUTANTS.md](MUTANTS.md): whether a test notices when a guard is broken. \`npm run mutants\`
- \`npm run fuzz -- --seconds 300\`: every parser gets damaged and very large inputs; it ends with the number of inputs and of failures.
- [CRASH-POINTS.md](CRASH-POINTS.md): every call that lasts, and the tests that kill rollcall before and after it. \`ROLLCALL_TEST_ALL=1 npm test\`
`;
}
