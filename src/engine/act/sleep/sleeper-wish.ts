import type { Claims } from '../../../core/ledger/current-facts.ts';
import { type SleeperSign, sleeperWords } from '../../../core/sleep/sleeper.ts';
import type { PaneWish } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';
import { leakedBeside } from '../leaked-variables.ts';
import { stampOf } from '../run-wish.ts';

/** By these rollcall finds its folders and its tmux servers: whoever wakes it from the pane has to find the same. */
const PLACES = [
  'HOME',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'ROLLCALL_CONFIG',
  'TMUX_TMPDIR',
];

/** What a sleeper is to tell: when it fell asleep, and how much memory came back; null where that is not known. */
export interface SleepSign extends Omit<SleeperSign, 'since' | 'freed'> {
  readonly at: number;
  readonly bytes: number | null;
}

/**
 * The sleeper of a receipt, as it is started in a pane. It has the environment that its session gives to every new pane, and
 * bears the receipt as its run.
 */
export function sleeperWish(
  { callerEnv, own }: Pick<Hands, 'callerEnv' | 'own'>,
  { at, bytes, ...told }: SleepSign,
  claims: Claims | null,
): PaneWish {
  const sign = { ...told, since: whenWords(at), freed: bytes === null ? null : memoryWords(bytes) };
  const env = Object.fromEntries(
    PLACES.flatMap((name) => (callerEnv[name] ? [[name, callerEnv[name] as string]] : [])),
  );
  return {
    ...{ cwd: sign.cwd, argv: sleeperWords(sign, own), env, withoutEnv: leakedBeside(env) },
    ...{ stamp: stampOf(claims ?? {}, sign.receipt), remain: true, isUnrecorded: true },
  };
}

/** When something began, for a person in front of this machine. */
function whenWords(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** An amount of memory, for a person. */
export function memoryWords(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
