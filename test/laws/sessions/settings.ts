/** What a test cannot wait for is short, and what must not end while a batch is played is long. */
export const SETTINGS = {
  ...{ exitedAfter: '1s', confirmFor: '1s', startingFor: '1s', recentInput: '6h', idleAfter: '6h' },
  tmux: { timeout: '30s' },
  git: { timeout: '1m' },
  protect: ['crew-*'],
  daemon: { port: 0, http: 'off' },
  roles: {
    '*': { onComplete: 'close-after-idle' },
    soon: { onComplete: 'close-after-idle' },
    later: { onComplete: 'retain', retainFor: '6h' },
    kept: { onComplete: 'keep' },
    strict: { onComplete: 'close-after-idle', requires: ['clean', 'pushed'] },
  },
};

/** A reaper that takes all that it may, one after the other, as fast as it can. */
export const REAPING = {
  reaper: { idleAfter: '1s', confirm: '1s', grace: '1s', settle: '1s', perHour: 1000 },
  pressure: { critical: { after: '0s' }, fallAfter: '1s', transition: '0s' },
};
