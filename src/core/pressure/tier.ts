/** How short of memory the machine is, from the calmest up. */
export const TIERS = ['normal', 'moderate', 'critical'] as const;

export type Tier = (typeof TIERS)[number];

/** A tier that is a kind of pressure. */
export type Pressing = Exclude<Tier, 'normal'>;

/** The kinds of pressure, the lesser first. */
export const PRESSING = ['moderate', 'critical'] as const;

/** Whether the first is at least as bad as the second. */
export function isAtLeast(tier: Tier, other: Tier): boolean {
  return TIERS.indexOf(tier) >= TIERS.indexOf(other);
}

/** The worst of them; normal where there is none. */
export function worstOf(tiers: readonly Tier[]): Tier {
  return tiers.reduce((worst, tier) => (isAtLeast(tier, worst) ? tier : worst), 'normal' as Tier);
}

/** One step calmer. */
export function calmer(tier: Pressing): Tier {
  return tier === 'critical' ? 'moderate' : 'normal';
}
