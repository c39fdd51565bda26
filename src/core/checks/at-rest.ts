import type { Activity, Check } from '../verdict.ts';
import type { CheckRule } from './check.ts';

const ANSWERS: Readonly<Record<Activity, readonly [Check['state'], string]>> = {
  working: ['unmet', 'it is working'],
  waiting: ['unmet', 'it waits for someone'],
  starting: ['unmet', 'it is starting'],
  unknown: ['unknown', 'what it is doing is not known'],
  idle: ['met', 'its turn is over'],
  exited: ['met', 'its agent or program has ended'],
  none: ['unmet', 'it is a plain terminal, which never finishes'],
};

/** The turn is over, or the program has ended. */
export const atRest: CheckRule = ({ activity }) => {
  const [state, text] = ANSWERS[activity];
  return { code: 'at-rest', state, text };
};
