import type { KindName } from '../kinds/index.ts';

/** How often events of each kind come. */
export interface Profile {
  /** For each session, in an hour. */
  readonly perSession: Readonly<Partial<Record<KindName, number>>>;
  /** In the whole world, in an hour. */
  readonly perHour: Readonly<Partial<Record<KindName, number>>>;
  /** At a moment of a deed of rollcall, in an hour. */
  readonly aimed: Readonly<Partial<Record<KindName, number>>>;
}

/** What sessions do on any day. */
export const ANY_DAY: Profile = {
  perSession: { turn: 0.25, visits: 0.08, git: 0.05, 'come-back': 0.12, child: 0.04, leaves: 0.015 },
  perHour: { start: 0.8, memory: 0.12, declare: 0.5 },
  aimed: {},
};

export const PROFILES: Readonly<Record<string, Profile>> = {
  calm: { perSession: {}, perHour: {}, aimed: {} },
  busy: {
    perSession: {
      turn: 0.8,
      dialog: 0.12,
      background: 0.12,
      child: 0.15,
      draft: 0.08,
      program: 0.08,
      manners: 0.04,
    },
    perHour: { start: 1.5, declare: 1.5, ends: 0.6 },
    aimed: { turn: 0.5, dialog: 0.2, background: 0.2, child: 0.2 },
  },
  pressure: {
    perSession: { 'come-back': 0.25, manners: 0.08 },
    perHour: { memory: 1, brings: 0.6 },
    aimed: { turn: 0.4, visits: 0.4, declare: 0.4, memory: 0.3, git: 0.2 },
  },
  'wrong shows': {
    perSession: {
      'status-late': 0.12,
      'title-stuck': 0.05,
      'screen-garbled': 0.08,
      'screen-flickers': 0.05,
      hooks: 0.1,
      'transcript-half': 0.05,
      turn: 0.3,
    },
    perHour: { 'hooks-unheard': 0.15 },
    aimed: { hooks: 0.1, 'screen-garbled': 0.2, 'status-late': 0.2, turn: 0.4, 'transcript-half': 0.1 },
  },
  people: {
    perSession: {
      visits: 0.4,
      reads: 0.06,
      rename: 0.04,
      moves: 0.03,
      split: 0.06,
      kills: 0.015,
      twin: 0.02,
      groups: 0.05,
      'at-shell': 0.1,
      draft: 0.08,
      taken: 0.02,
      conversation: 0.04,
    },
    perHour: { declare: 1.5, ends: 1, brings: 0.6, 'ends-due': 0.1 },
    aimed: {
      visits: 1,
      reads: 0.4,
      rename: 0.2,
      moves: 0.3,
      split: 0.3,
      kills: 0.3,
      twin: 0.5,
      groups: 0.2,
      'at-shell': 0.4,
      draft: 0.6,
      taken: 0.4,
      conversation: 0.3,
      declare: 0.5,
      ends: 0.4,
      brings: 0.3,
    },
  },
  crashes: {
    perSession: { leaves: 0.05, stopped: 0.03, 'pid-recycles': 0.05 },
    perHour: {
      killed: 0.4,
      'rollcall-stopped': 0.1,
      restarted: 0.15,
      'tmux-crashes': 0.06,
      'tmux-hangs': 0.2,
      'power-loss': 0.02,
      disk: 0.08,
    },
    aimed: {
      killed: 1.2,
      'rollcall-stopped': 0.3,
      restarted: 0.2,
      'tmux-crashes': 0.15,
      'tmux-hangs': 0.4,
      'power-loss': 0.08,
      disk: 0.4,
      leaves: 0.4,
    },
  },
  faults: {
    perSession: {},
    perHour: { fault: 1.5, 'tmux-hangs': 0.2, 'socket-gone': 0.15, disk: 0.1 },
    aimed: { fault: 2, disk: 0.3, 'socket-gone': 0.2, 'tmux-hangs': 0.2 },
  },
  clocks: {
    perSession: {},
    perHour: { 'clock-step': 0.2, 'clock-drift': 0.05, suspend: 0.12, declare: 1 },
    aimed: { 'clock-step': 0.4, suspend: 0.4 },
  },
  races: {
    perSession: { 'pid-recycles': 0.08, manners: 0.1 },
    perHour: {
      'second-install': 0.12,
      ends: 1.5,
      'ends-due': 0.3,
      brings: 1,
      declare: 2,
      up: 0.1,
      mode: 0.1,
    },
    aimed: {
      'pid-recycled': 0.5,
      ends: 1,
      'ends-due': 0.2,
      declare: 1.2,
      brings: 0.5,
      killed: 0.5,
      conversation: 0.2,
      up: 0.1,
    },
  },
};
