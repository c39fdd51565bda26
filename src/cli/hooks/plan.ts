import { quotedWord } from '../../core/text/shell-word.ts';
import type { AgentHookChange, HookApplied, HookFileChange, HookPlan } from '../../ports/hook-config.ts';
import { type Line, line } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import { paragraph } from '../render/wrap.ts';
import { diffLines, unifiedDiff } from './diff.ts';

/** What would be written: the changes to the user's own files in full, the files that are wholly ours by name. */
export function planLines({ files }: HookPlan, width: number | null): Line[] {
  const theirs = files.filter(({ isOwn }) => !isOwn);
  const ours = files.filter(({ isOwn }) => isOwn);
  return [
    ...files.flatMap(({ path, leadsTo }) =>
      leadsTo === null ? [] : paragraph(`${path} leads to ${leadsTo}: that is written`, width, 0, 'warning'),
    ),
    ...theirs.flatMap(({ path, before, after }) => [...diffLines(unifiedDiff(path, before, after)), line()]),
    ...ours.flatMap((file) => paragraph(ownFile(file), width)),
    ...(ours.length > 0 ? [line()] : []),
  ];
}

/** What has become of each agent's hooks, and what the user should know about it. */
export function outcomeLines(
  { agents, files }: HookPlan,
  { backups, kept }: Pick<HookApplied, 'backups' | 'kept'>,
  isDryRun: boolean,
  width: number | null,
): Line[] {
  const said = (text: string, tone: 'quiet' | 'warning') => paragraph(text, width, 0, tone);
  return [
    ...agents.flatMap((change) => [
      ...labelled(change.agent, outcomeText(change, isDryRun), width, { room: 9, tone: 'heading' }),
      ...change.notes.flatMap((note) => paragraph(note, width, 9, 'quiet')),
    ]),
    ...backups.flatMap(({ file, backup }) => [
      ...said(`The file as it was: ${backup}`, 'quiet'),
      ...said(`To put it back: cp ${quotedWord(backup)} ${quotedWord(file)}`, 'quiet'),
    ]),
    ...kept.flatMap(({ file, backup }) => [
      ...said(`Somebody wrote to ${file} at the same time. It may not have all of that.`, 'warning'),
      ...said(`To compare: diff ${quotedWord(backup)} ${quotedWord(file)}`, 'warning'),
    ]),
    ...(isDryRun && files.length > 0 ? [line('Nothing was written.', 'heading')] : []),
  ];
}

function ownFile({ path, before, after }: HookFileChange): string {
  if (after === null) return `${path}: will be removed`;
  const lines = after.split('\n').length - 1;
  return `${path}: ${before === null ? 'a new file' : 'a newer version'} of ${lines} lines, written by rollcall`;
}

function outcomeText({ outcome, file, events }: AgentHookChange, isDryRun: boolean): string {
  const would = isDryRun ? 'would be ' : '';
  const texts: Readonly<Record<typeof outcome, string>> = {
    installed: `${events.length} hooks ${would}installed in`,
    updated: `${events.length} hooks ${would}brought up to date in`,
    'already-installed': 'already installed in',
    removed: `hooks ${would}removed from`,
    'not-installed': 'no hooks of rollcall in',
  };
  return `${texts[outcome]} ${file}`;
}
