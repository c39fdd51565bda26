import { CLOSE_STEPS } from '../../../src/engine/act/close/taken.ts';
import type { Interleaved } from './interleave.ts';
import { INTERVENTIONS } from './interventions.ts';
import type { Counted } from './journal.ts';
import { SCENES } from './scenes.ts';

/** One that went wrong, as a short story. */
export function story({ one, claim, ran, violations }: Interleaved): string {
  const said = (ran?.stdout ?? '').trim().split('\n')[0];
  return [
    `✗ ${one.scene.name} · ${one.intervention.name} · ${one.point} (towards ${one.ahead})`,
    ...violations.map(({ kind, text }) => `    ${kind}: ${text}`),
    `    rollcall: ${ran?.exitCode} ${said}${claim.note ? `; ${claim.note}` : ''}`,
  ].join('\n');
}

/** The steps of a close in their order, for the counts. */
const STEPS: readonly string[] = [...CLOSE_STEPS, 'end'];

/** All of them counted, as a page. */
export function page(results: readonly Counted[]): string {
  const reached = results.filter(({ isReached }) => isReached);
  const broken = reached.filter(({ violations }) => violations.length > 0);
  const kinds = (...names: string[]) =>
    reached.filter(({ violations }) => violations.some(({ kind }) => names.includes(kind))).length;
  const cell = (holds: (one: Counted) => boolean) => {
    const all = reached.filter(holds);
    const bad = all.filter(({ violations }) => violations.length > 0).length;
    return bad === 0 ? String(all.length) : `${all.length} (**${bad}**)`;
  };
  const scenes = SCENES.filter(({ name }) => reached.some(({ one }) => one.scene.name === name));
  const interventions = INTERVENTIONS.filter(({ name }) =>
    reached.some(({ one }) => one.intervention.name === name),
  );
  const promises = reached.filter(({ claim }) => claim.isPromised).length;
  return `# Races

Written by \`npm run races -- --write\`, from one state of the sources.

The built program closes real sessions of a real tmux, in a world of its own (pid and mount namespace). A preload counts its
steps: every child process before and after, every signal, every write, rename, link, sync and lock of a file, every
statement of SQLite that writes, every scan of the process table. At one of them the program is stopped, something happens
to its end, and then it goes on. Whatever it does *after* that to somebody who came in between is a violation.

**${reached.length} interleavings, ${broken.length} with a violation.** Innocents harmed: ${kinds('bystander')}. Answered
holds and retentions: ${promises}, of them broken: ${reached.filter(isPromiseBroken).length}.

Not every moment can be stopped at: tmux starts the shell that sends a signal in the same step as it compares, and what
happens while that shell starts is not seen.

## What happens, in which scene

Interleavings; in brackets those with a violation.

| | ${scenes.map(({ name }) => name).join(' | ')} |
|---|${scenes.map(() => '---:|').join('')}
${interventions
  .map(
    ({ name, text }) =>
      `| \`${name}\`: ${text} | ${scenes
        .map((scene) => cell(({ one }) => one.scene === scene && one.intervention.name === name))
        .join(' | ')} |`,
  )
  .join('\n')}

${scenes.map(({ name, text }) => `- \`${name}\`: ${text}`).join('\n')}

## On which rung

By the lasting step that comes next.

| ${STEPS.join(' | ')} |
|${STEPS.map(() => '---:|').join('')}
| ${STEPS.map((step) => cell(({ one }) => one.ahead === step)).join(' | ')} |
`;
}

function isPromiseBroken({ claim, violations }: Counted): boolean {
  return claim.isPromised === true && violations.length > 0;
}
