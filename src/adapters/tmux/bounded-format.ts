/** Stands at the end of a text that was cut. */
export const MORE = '…';

/**
 * Formats that bound a text whose length a program or a person chose, up to megabytes. tmux measures it first (`n:`), so
 * that neither it nor its client copies it around. A tmux that cannot compare numbers (before 3.2) tells all of it.
 */
export function longer(format: string, bytes: number): string {
  return `#{e|>:#{n:${format}},${bytes}}`;
}

/** All of it or nothing: a path that is cut is another path. */
export function wholeOrNothing(name: string, bytes: number): string {
  return `#{?${longer(`#{${name}}`, bytes)},,#{${name}}}`;
}

/** Its beginning, for people to read, where it is longer than that; the mark at its end says so. */
export function beginning(name: string, columns: number): string {
  // tmux cuts by columns, and letters without a width and styles have none: what is still too long is not told.
  const part = `#{=/${columns}/${MORE}:${name}}`;
  return `#{?${longer(part, columns * 4)},${MORE},${part}}`;
}

/** All of it where it is short, its beginning where it is not. */
export function wholeOrBeginning(name: string, columns: number): string {
  return `#{?${longer(`#{${name}}`, columns)},${beginning(name, columns)},#{${name}}}`;
}
