/** Where a piece of evidence comes from. */
export type Source =
  | 'tmux'
  | 'process'
  | 'screen'
  | 'people'
  | 'git'
  | 'agent'
  | 'hook'
  | 'transcript'
  | 'title'
  | 'history'
  | 'declared'
  | 'host';
