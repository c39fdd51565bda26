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
export function leadsElsewhere(view: MountView, path: string): boolean {
  const [theirs, ours] = [treeOf(view.theirs), treeOf(view.ours)];
  const isOther = (place: string): boolean => {
    const there = fileAt(theirs, place);
    return there === null || there !== fileAt(ours, place);
  };
  if (isOther(path)) return true;
  const below = [...placesBelow(theirs, path), ...placesBelow(ours, path)];
  // Sandboxes hide files behind it. Nothing is kept in it.
  const nothing = fileAt(ours, '/dev/null');
  return below.some((place) => isOther(place) && fileAt(theirs, place) !== nothing);
}

// Also those that are read-only: something may have been written before. None begins with `//`, so none is below the root.
function placesBelow({ mounts }: MountTree, path: string): string[] {
  return mounts.map(({ place }) => place).filter((place) => place.startsWith(`${path}/`));
}

/** What a path leads to, by its file system and its place in that; it holds no links. */
function fileAt(tree: MountTree, path: string): string | null {
  const mount = reached(tree, path);
  if (mount === null) return null;
  return `${mount.device} ${`${mount.root}/${path.slice(mount.place.length)}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '')}`;
}

/** The mounts of a table, by what each is mounted on and where: a busy machine has thousands. */
interface MountTree {
  readonly mounts: readonly Mount[];
  readonly root: Mount | undefined;
  /** By the number of the mount below and the place. Of several at one place the first one. */
  readonly upon: ReadonlyMap<string, Mount>;
  /** What was looked up before: many mounts are at the same place. */
  readonly known: Map<string, Mount | null>;
}

function treeOf(mounts: readonly Mount[]): MountTree {
  const ids = new Set(mounts.map(({ id }) => id));
  const root = mounts.find(({ id, parent, place }) => place === '/' && (parent === id || !ids.has(parent)));
  const upon = new Map<string, Mount>();
  for (const mount of mounts) {
    const key = keyOf(mount.parent, mount.place);
    if (mount !== root && !upon.has(key)) upon.set(key, mount);
  }
  return { mounts, root, upon, known: new Map() };
}

function keyOf(parent: string, place: string): string {
  return `${parent} ${place}`;
}

/** The mount that a path leads to. As for the kernel, a later mount hides those below its place that the table still lists. */
export function mountAt(mounts: readonly Mount[], path: string): Mount | null {
  return reached(treeOf(mounts), path);
}

// From the root on, at each mount to the nearest one on it; a table that leads in a circle is followed once around.
function reached({ root, upon, known }: MountTree, path: string): Mount | null {
  const earlier = known.get(path);
  if (earlier !== undefined) return earlier;
  const steps = placesOf(path);
  const seen = new Set<Mount>();
  let at = root;
  for (let next = root; next !== undefined && !seen.has(next); ) {
    at = next;
    seen.add(at);
    const { id } = at;
    const place = steps.find((one) => upon.has(keyOf(id, one)));
    next = place === undefined ? undefined : upon.get(keyOf(id, place));
  }
  const found = at ?? null;
  known.set(path, found);
  return found;
}

/** The root, each folder on the way, and the path itself: `/`, `/a`, `/a/b`. */
function placesOf(path: string): string[] {
  const places = ['/'];
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1))
    places.push(path.slice(0, at));
  return [...places, path];
}
