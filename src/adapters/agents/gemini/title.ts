import type { AgentSign } from '../../../core/agent/sign.ts';
import { visible } from '../../../core/text/visible.ts';
import type { SeenBackground } from './background.ts';

/** What Gemini's title says it is doing. */
export type TitleWord = 'ready' | 'working' | 'asking';

const WORDS: readonly (readonly [RegExp, TitleWord])[] = [
  [/^◇ {2}Ready \(/, 'ready'],
  [/^✦ {2}\S/, 'working'],
  [/^⏲ {2}Working… \(/, 'working'],
  [/^✋ {2}Action Required \(/, 'asking'],
];

/** Reads the title that Gemini keeps; null for any other, and for the one without a state (`Gemini CLI (folder)`). */
export function readTitle(title: string): TitleWord | null {
  return WORDS.find(([pattern]) => pattern.test(title))?.[1] ?? null;
}

/**
 * What the title tells. It follows every turn at once. But it also says Ready while a start dialog (folder trust, login)
 * is open and while commands run in the background: it never proves that there are none. It also asks for action if a
 * command is quiet: without a command it is a dialog.
 */
export function titleSign(
  word: TitleWord,
  seen: Pick<SeenBackground, 'now' | 'isVerified'> & { readonly title: string; readonly hasShell: boolean },
): AgentSign {
  const said = `"${visible(seen.title.trimEnd(), 80)}"`;
  const { now: observedAt, isVerified } = seen;
  const common = { source: 'title', observedAt, isLive: true, isVerified } as const;
  if (word === 'ready') return { ...common, turn: 'over', text: said };
  if (word === 'working') return { ...common, turn: 'running', text: said };
  return seen.hasShell
    ? { ...common, turn: 'running', text: `${said}: a dialog, or a command that has gone quiet` }
    : { ...common, turn: 'running', waitingFor: 'permission', text: said };
}
