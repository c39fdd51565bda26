/** File systems that the kernel answers for by itself: from its own memory, or from a disk of this machine. */
const ANSWERED_BY_THE_KERNEL: ReadonlySet<string> = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'zfs', 'bcachefs', 'jfs', 'nilfs2', 'reiserfs'],
  ...['vfat', 'exfat', 'msdos', 'ntfs', 'ntfs3', 'hfsplus', 'iso9660', 'udf', 'squashfs', 'erofs', 'cramfs'],
  ...['overlay', 'aufs', 'ecryptfs', 'tmpfs', 'ramfs', 'devtmpfs', 'rootfs', 'hugetlbfs'],
  ...['proc', 'sysfs', 'devpts', 'mqueue', 'cgroup', 'cgroup2', 'cpuset', 'securityfs', 'debugfs', 'tracefs'],
  ...['pstore', 'bpf', 'configfs', 'fusectl', 'efivarfs', 'binfmt_misc', 'nsfs', 'selinuxfs', 'rpc_pipefs'],
  ...['binder', 'resctrl', 'nfsd'],
]);

/** What lies below these is the system's own: nobody works there, and nothing would run where it gave no answer. */
const SYSTEM_FOLDERS = /^\/(?:proc|sys)(?:\/|$)/;

/** One line of `/proc/PID/mountinfo`. */
export interface Mount {
  /** Unlike that of any other mount of this machine, also in other namespaces; `mnt_id` of a descriptor. */
  readonly id: string;
  /** The mount that it is mounted on. */
  readonly parent: string;
  /** Of the whole file system, as `major:minor`. */
  readonly device: string;
  /** The folder of the file system that is shown at its place. */
  readonly root: string;
  readonly place: string;
  /** Whether the kernel answers by itself. A kind that is not known may stop to answer. */
  readonly isSafe: boolean;
}

/** The mounts in the text of `/proc/PID/mountinfo`. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    if (after === undefined) return [];
    const [id = '', parent = '', device = '', root = '', place = ''] = before.split(' ');
    const [type = '', source = ''] = after.split(' ');
    // A disk at the other end of a network.
    const isFar = source.startsWith('/dev/nbd') || source.startsWith('/dev/rbd');
    const isSafe = ANSWERED_BY_THE_KERNEL.has(type) && !isFar;
    return [{ id, parent, device, root: asCalled(root), place: asCalled(place), isSafe }];
  });
}

// The kernel writes blanks and the like as octal numbers.
function asCalled(written: string): string {
  return written.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/**
 * Where file systems are mounted that another program or machine answers for (FUSE, NFS, a mount on demand …), from the text
 * of `/proc/PID/mountinfo`. Such a one may stop to answer, and then holds whoever touches it.
 */
export function mountsThatMayStop(mountinfo: string): readonly string[] {
  const mounts = mountsIn(mountinfo).filter(({ isSafe, place }) => !isSafe && !SYSTEM_FOLDERS.test(place));
  return mounts.map(({ place }) => place);
}

/** A device number of stat(2) as the kernel writes it in a table of mounts. */
export function deviceText(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn & 0xffffffffn);
  return `${major}:${minor}`;
}

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

/** The mount that a path leads to. As for the kernel, a later mount hides those below its place that the table still lists. */
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
