import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { doctorCommand } from '../../src/cli/doctor/doctor.ts';
import { MACHINE_SETTINGS } from '../../src/config/machine-settings.ts';
import { CHECKS } from '../../src/core/doctor/checks/index.ts';
import { PROCESS_CLASSES } from '../../src/core/doctor/finding.ts';
import { EXIT_CODES, type ExitName } from '../../src/core/exit-codes.ts';

const page = readFileSync('docs/DOCTOR.md', 'utf8');

/** First cells of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  const section = rest.split(/\n#{2,3} /)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => (row.split('|')[1] ?? '').trim().replaceAll('`', ''));
}

it.each([
  ['sessions', '### Sessions'],
  ['processes', '### Processes'],
  ['machine', '### Machine'],
])('docs/DOCTOR.md tells of every check of %s, in their order', (group, heading) => {
  const names = CHECKS.filter((check) => check.group === group).map(({ name }) => name);
  expect(rowsUnder(heading)).toEqual(names);
});

it('tells of every class, setting and exit code', () => {
  expect(rowsUnder('## Whose a process is')).toEqual([...PROCESS_CLASSES]);
  const own = Object.keys(MACHINE_SETTINGS).filter((key) => key.startsWith('doctor.'));
  expect(rowsUnder('## Settings').slice(1)).toEqual(own);
  expect(rowsUnder('## Exit codes')).toEqual(
    Object.keys(doctorCommand.exits).map((name) => String(EXIT_CODES[name as ExitName].code)),
  );
});
