/** Where a piece of evidence comes from. */
export type Source =
  | 'tmux'
  | 'process'
  | 'screen'
  | 'people'
  | 'git'
  | 'agent'
  | 'history'
  | 'declared'
  | 'host';
