import { toDocument } from '../../contract/document.ts';
import type { VersionDocument } from '../../contract/document-schemas.ts';
import { defineCommand } from '../frame/command.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Print the version.',
  usage: ['rollcall version [--json]', 'rollcall --version'],
  description: [],
  settings: 'late',
  examples: {
    'rollcall --version': 'the version',
  },
  exits: {
    done: 'always',
  },
  run: async ({ flags, surroundings }) => {
    printVersion(surroundings, flags.json);
    return 0;
  },
});

/** For the command and for the flag. */
export function printVersion(
  { stdout, version }: Pick<Surroundings, 'stdout' | 'version'>,
  isJson: boolean,
): void {
  const document: VersionDocument = toDocument({ version });
  if (isJson) writeJson(stdout, document);
  else stdout.write(`rollcall ${version}\n`);
}
