import { versionOf } from './install.ts';
import type { Life } from './life.ts';

/** The page about whole lives. */
export function lifePage(lives: readonly Life[], machine: string): string {
  return `# Whole lives

Written by \`npm run test:agents -- --life\`: each real agent is started with \`rollcall run\`, does a turn of work, is declared
complete, kept for a while, closed with \`rollcall close\`, put back with \`rollcall reopen\`, and does another turn in the same
conversation. In a private tmux server without network, against a scripted model on loopback, with rollcall's hooks.
Machine of this run: ${machine}.

${lives.map(section).join('\n')}`;
}

function section({ kind, steps, failure }: Life): string {
  const rows = steps.map(({ name, ms, seen }) => `| ${name} | ${(ms / 1000).toFixed(1)} s | ${seen} |`);
  const end = failure === null ? 'All of it was seen.' : `It ended too early: ${failure}`;
  return `## ${kind} ${versionOf(kind)}

| what | took | seen |
| --- | ---: | --- |
${rows.join('\n')}

${end}
`;
}
