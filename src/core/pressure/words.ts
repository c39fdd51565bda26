import type { JudgedSignal } from './judge-signal.ts';
import type { Signal } from './reading.ts';

const SUBJECTS: Readonly<Record<Signal, string>> = {
  'stall-some': 'some process waited for memory',
  'stall-full': 'every process waited for memory',
  available: 'available memory',
  oom: 'out of memory',
  'os-level': 'pressure level of the system',
  swap: 'swap left',
};

/** What a signal measures, in words; with its cgroup where it has one. */
export function subjectOf({ signal, scope }: { readonly signal: Signal; readonly scope: string }): string {
  return scope === 'host' ? SUBJECTS[signal] : `${SUBJECTS[signal]} in ${scope}`;
}

/** An amount of a signal, in its own unit. */
export function amountOf(signal: Signal, amount: number): string {
  switch (signal) {
    case 'stall-some':
    case 'stall-full':
      return `${amount.toFixed(1)} % of the time`;
    case 'available':
    case 'swap':
      return sizeOf(amount);
    case 'oom':
      return amount === 1 ? 'once' : `${amount} times`;
    case 'os-level':
      return LEVELS[amount] ?? `level ${amount}`;
  }
}

/** What was compared, and with what: `available memory 0.8 GiB, below 1.0 GiB (critical)`. */
export function comparisonOf(judged: JudgedSignal, tier: 'moderate' | 'critical'): string {
  const { reading, compared, thresholds } = judged;
  const { signal } = reading;
  const subject = subjectOf(reading);
  if (signal === 'oom') return `${subject}: ${amountOf(signal, Number(compared))} since the last look`;
  const threshold = amountOf(signal, Number(thresholds?.[tier]));
  const side = thresholds?.isLowBad ? 'below' : 'at or above';
  const joint = signal.startsWith('stall') ? ' ' : ': ';
  return `${subject}${joint}${amountOf(signal, Number(compared))}; ${tier} is ${side} ${threshold}`;
}

const LEVELS: Readonly<Record<number, string>> = { 1: 'normal', 2: 'warning', 4: 'critical' };

function sizeOf(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
