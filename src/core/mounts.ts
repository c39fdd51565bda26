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

/**
 * Where file systems are mounted that another program or machine answers for (FUSE, NFS, a mount on demand …), from the text
 * of `/proc/PID/mountinfo`. Such a one may stop to answer, and then holds whoever touches it. A kind that is not known is
 * one of these.
 */
export function mountsThatMayStop(mountinfo: string): readonly string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    if (after === undefined) return [];
    const [place = ''] = before.split(' ').slice(4);
    const [type = '', source = ''] = after.split(' ');
    // A disk at the other end of a network.
    const isFar = source.startsWith('/dev/nbd') || source.startsWith('/dev/rbd');
    const isSafe = (ANSWERED_BY_THE_KERNEL.has(type) && !isFar) || SYSTEM_FOLDERS.test(place);
    return isSafe
      ? []
      : [place.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))];
  });
}
