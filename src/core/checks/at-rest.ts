import type { Activity, Check } from '../verdict/verdict.ts';
import { isVouched } from '../verdict/vouched.ts';
import { check } from './check.ts';

const ANSWERS: Readonly<Record<Activity, readonly [Check['state'], string]>> = {
  working: ['unmet', 'it is working'],
  waiting: ['unmet', 'it waits for someone'],
  starting: ['unmet', 'it is starting'],
  unknown: ['unknown', 'what it is doing is not known'],
  idle: ['met', 'its turn is over'],
  asleep: ['met', 'its agent sleeps'],
  exited: ['met', 'its agent or program has ended'],
  none: ['unmet', 'it is a plain terminal, which never finishes'],
};

const VOUCHED: (typeof ANSWERS)[Activity] = [
  'met',
  'its work was declared complete, and only the shell that rollcall started is left',
];

/** The turn is over, or the program has ended; of a plain terminal, somebody has declared it. */
export const atRest = check('at-rest', ({ activity, facts }) => {
  const isDeclared = activity === 'none' && isVouched(facts);
  const [state, text] = isDeclared ? VOUCHED : ANSWERS[activity];
  return { state, text };
});
