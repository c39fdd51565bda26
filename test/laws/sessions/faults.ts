import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Patch = readonly [guard: RegExp, instead: string];

const MET = "return { state: 'met', text: 'a planted fault' };";

/** A check that is always met. */
const unchecked = (code: string): Patch => [
  new RegExp(`(check\\)?\\("${code}", \\((?:\\{[^)]*\\})?\\) => \\{)`, 'g'),
  `$1 ${MET}`,
];
/** A protection that is never given. */
const unprotected = (code: string): Patch => [
  new RegExp(`if \\([^\\n]*\\) (keep\\("${code}")`, 'g'),
  'if (false) $1',
];

/** Guards that are taken out of the built program, to see that the play finds what comes of it. */
export const FAULTS: Readonly<Record<string, readonly Patch[]>> = {
  draft: [unchecked('nothing-unsent')],
  running: [unchecked('nothing-running'), unchecked('nothing-outside'), unchecked('at-rest')],
  hold: [unprotected('held')],
  attached: [unchecked('nobody-there'), unprotected('attached'), unprotected('recent-input')],
  group: [unchecked('windows-own'), unchecked('nobody-there'), unprotected('recent-input')],
  pattern: [unprotected('human-managed')],
  saved: [unchecked('work-saved')],
  // By what a name begins with, and the first that comes.
  name: [
    [
      /sessions\.filter\(\(entry\) => isMeant\(entry, shown, \(text\) => text\)\);/g,
      'sessions.filter((entry) => entry.name.startsWith(shown) || isMeant(entry, shown, (text) => text)).slice(0, 1);',
    ],
  ],
};

/** A copy of the built program with a fault in it, where its packages are found. */
export function plant(fault: string): { readonly folder: string; remove(): void } {
  const patches = FAULTS[fault];
  if (patches === undefined)
    throw new Error(`no fault ${fault}; there are ${Object.keys(FAULTS).join(', ')}`);
  const folder = mkdtempSync(resolve('node_modules', '.rollcall-faulty-'));
  // Compiled code is told from the source by its length alone.
  cpSync('dist', folder, {
    recursive: true,
    filter: (path) => !path.endsWith('.cache') && !path.includes('/types/'),
  });
  const left = new Map(patches.map((patch) => [patch, new Set(['cjs', 'mjs'])]));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const kind = /\.(cjs|mjs)$/.exec(name)?.[1];
    if (kind === undefined) continue;
    const path = join(folder, name);
    let text = readFileSync(path, 'utf8');
    for (const [guard, instead] of patches) {
      const patched = text.replace(guard, instead);
      if (patched !== text) left.get(patches.find(([one]) => one === guard) as Patch)?.delete(kind);
      text = patched;
    }
    writeFileSync(path, text);
  }
  for (const [[guard], kinds] of left)
    if (kinds.size > 0) throw new Error(`${fault}: ${guard} is not in the built ${[...kinds]}`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
