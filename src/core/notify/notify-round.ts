import { allow } from './allow.ts';
import { type Condition, conditionsOf, isCertain, type NotifiedRound } from './conditions.ts';
import type { NotifyMemory, RuleUse } from './memory.ts';
import type { Notification } from './notification.ts';
import { isAbout, type Matches, type NotifyPolicy, type NotifyRule } from './rule.ts';
import { tellOnce } from './tell.ts';

/** One notification on its way to where one rule sends it. */
export interface Outgoing {
  readonly rule: NotifyRule;
  readonly notification: Notification;
}

/** What a round has to be told of, and what is remembered then. */
export interface Notified {
  readonly outgoing: readonly Outgoing[];
  readonly memory: NotifyMemory;
  /** The memory is worth keeping: more than times of sight are new in it. */
  readonly isChanged: boolean;
}

/** Decides what of a round is told, by which rules. What no rule is about is neither told nor remembered. */
export function notifyRound(
  memory: NotifyMemory,
  round: NotifiedRound,
  policy: NotifyPolicy,
  matches: Matches,
): Notified {
  const { awakeMs, at } = round.now;
  const certain = new Set(round.roll.sessions.filter(isCertain).map(({ key }) => key));
  const wanted = conditionsOf(round).filter((condition) =>
    policy.rules.some((rule) => concerns(rule, condition, matches)),
  );
  const { news, told, isChanged } = tellOnce(memory.told, wanted, {
    ...{ awakeMs, againMs: policy.againMs, hasEnded: (key) => certain.has(key) },
  });
  const outgoing: Outgoing[] = [];
  const uses: [string, RuleUse][] = policy.rules.map((rule) => {
    const own = news.filter((condition) => concerns(rule, condition, matches));
    const { send, use } = allow(
      memory.rules[rule.name],
      own.map((condition) => condition.tell()),
      { awakeMs, at, host: round.roll.host.name, perHour: policy.perHour },
    );
    outgoing.push(...send.map((notification) => ({ rule, notification })));
    return [rule.name, use];
  });
  return {
    outgoing,
    memory: { ...memory, told, rules: Object.fromEntries(uses) },
    isChanged: isChanged || outgoing.length > 0,
  };
}

function concerns(rule: NotifyRule, { event, name }: Condition, matches: Matches): boolean {
  return isAbout(rule, event, name, matches);
}
