// Has a daemon live through a day's worth of changes in some minutes; see bench/soak.ts and docs/SOAK.md.
import { parseArgs } from 'node:util';
import { importTs } from './run-ts.mjs';

const HELP = `Has a daemon live through a day's worth of changes, and writes docs/SOAK.md.

  npm run soak -- [MINUTES] [--slower N]

  MINUTES       how long; 10 unless told
  --slower N    all comes and goes so many times slower: for hours, beside other work
`;

const { values, positionals } = given();
const [minutes, slower] = [Number(positionals[0] ?? 10), Number(values.slower)];
if (values.help) process.stdout.write(HELP);
else if (!(minutes > 0 && slower > 0 && positionals.length < 2)) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else {
  const { soak } = await importTs('bench/soak.ts');
  await soak({ minutes, slower });
}

/** What the command line says; nothing that could be done where it says something else. */
function given() {
  const options = { slower: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch {
    return { values: {}, positionals: [] };
  }
}
