import { toDocument } from '../../contract/document.ts';
import type { VersionDocument } from '../../contract/document-schemas.ts';
import { defineCommand, type Invocation } from '../frame/command.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { showText } from '../render/show.ts';

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
  run: async (call) => printVersion(call),
});

/** For the command and for the flag. */
export function printVersion({ flags, surroundings }: VersionCall): 0 {
  const { version } = surroundings;
  const document: VersionDocument = toDocument({ version });
  return showText({ flags, surroundings }, document, `rollcall ${version}\n`);
}

interface VersionCall {
  readonly flags: Pick<Invocation['flags'], 'json'>;
  readonly surroundings: Pick<Surroundings, 'stdout' | 'version'>;
}
