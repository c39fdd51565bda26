/**
 * What a project file may do to a setting. A cloned repository is not trusted, so it may only make rollcall more
 * careful than its user asked for, and has no say about the machine.
 */
export type ProjectMay = 'raise' | 'lower' | 'add' | 'nothing';
