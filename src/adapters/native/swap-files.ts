import { loadNative, type NativeFiles } from './load-native.ts';

/** What a file system says that cannot do it; the files are as they were then. */
const UNABLE = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/** Has two files of one file system change places in one step; false where that cannot be done here at all. */
export function swapFiles(one: string, other: string): boolean {
  const swapSync = loaded();
  if (swapSync === null) return false;
  try {
    swapSync(one, other);
    return true;
  } catch (error) {
    if (UNABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function loaded(): NativeFiles['swapSync'] | null {
  try {
    return loadNative().swapSync;
  } catch {
    return null;
  }
}
