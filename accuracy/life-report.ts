import { versionOf } from './install.ts';
import type { Life, Told } from './life.ts';

/** The page about whole lives. */
export function lifePage(lives: readonly Life[], machine: string): string {
  return `# Whole lives

Written by \`npm run test:agents -- --life\`: each real agent is started with \`rollcall run\`, works, and ends or is closed in every way
that an agent does, and is put back. In a private tmux server without network, against a scripted model on loopback, with
rollcall's hooks. Whether a conversation went on is known from the request that the model got: it has to carry the earlier turn.
Machine of this run: ${machine}.

${lives.map(section).join('\n')}`;
}

function section({ kind, stories }: Life): string {
  const failed = stories.filter(({ failure }) => failure !== null);
  return `## ${kind} ${versionOf(kind)}

| story | what | took | seen |
| --- | --- | ---: | --- |
${stories.flatMap(rows).join('\n')}

${failed.length === 0 ? 'All of it was seen.' : `Not as it has to be: ${failed.map(({ title }) => title).join('; ')}.`}
`;
}

function rows({ title, steps, failure }: Told): string[] {
  const played = steps.map(({ name, ms, seen }) => [name, `${(ms / 1000).toFixed(1)} s`, seen]);
  const cells = failure === null ? played : [...played, ['', '', `**not as it has to be:** ${failure}`]];
  return cells.map((row, index) => `| ${[index === 0 ? title : '', ...row].map(cell).join(' | ')} |`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
