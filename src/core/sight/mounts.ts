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
