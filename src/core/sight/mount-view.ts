import type { Mount } from './mounts.ts';

/** The mounts below the root of a process, and those of rollcall: the same path may lead to different files. */
export interface MountView {
  readonly theirs: readonly Mount[];
  readonly ours: readonly Mount[];
}

/**
 * Whether a path leads a process elsewhere than rollcall, or something that is mounted below it does. What cannot be followed
 * leads elsewhere. Everything is below `/`, so that nobody's work is looked for there.
 */
export function leadsElsewhere({ theirs, ours }: MountView, path: string): boolean {
  const isOther = (place: string): boolean => {
    const there = fileAt(theirs, place);
    return there === null || there !== fileAt(ours, place);
  };
  if (isOther(path)) return true;
  const below = path === '/' ? [] : [...placesBelow(theirs, path), ...placesBelow(ours, path)];
  return below.some((place) => isOther(place) && !isMasked({ theirs, ours }, place));
}

// Sandboxes hide files so. Nothing is kept in it.
function isMasked({ theirs, ours }: MountView, place: string): boolean {
  return fileAt(theirs, place) === fileAt(ours, '/dev/null');
}

// Also those that are read-only: something may have been written before.
function placesBelow(mounts: readonly Mount[], path: string): string[] {
  return mounts
    .filter((mount) => mount.place !== path && isIn(mount.place, path))
    .filter((mount) => mountAt(mounts, mount.place) === mount)
    .map(({ place }) => place);
}

/** What a path leads to, by its file system and its place in that; it holds no links. */
function fileAt(mounts: readonly Mount[], path: string): string | null {
  const mount = mountAt(mounts, path);
  if (mount === null) return null;
  const inside = mount.place === '/' ? path : path.slice(mount.place.length);
  return `${mount.device} ${`${mount.root}/${inside}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '')}`;
}

/** The mount that a path leads to. Walks as the kernel does: a later mount hides those below its place, although the table still lists them. */
export function mountAt(mounts: readonly Mount[], path: string): Mount | null {
  const ids = new Set(mounts.map(({ id }) => id));
  let at = mounts.find(({ id, parent, place }) => place === '/' && (parent === id || !ids.has(parent)));
  for (let next = at; next !== undefined; ) {
    at = next;
    next = mounts
      .filter((mount) => mount.parent === at?.id && mount !== at && isIn(path, mount.place))
      .reduce<Mount | undefined>(nearer, undefined);
  }
  return at ?? null;
}

function nearer(one: Mount | undefined, other: Mount): Mount {
  return one !== undefined && one.place.length <= other.place.length ? one : other;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}
