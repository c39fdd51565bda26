import { loadNative, type NativeFiles } from './load-native.ts';

/** The extended attributes of a file, by name. On Linux its access control list is one of them. */
export type FileAttributes = ReadonlyMap<string, Buffer>;

const ACCESS_LIST = 'system.posix_acl_access';
/** What a file system says that has no attributes. */
const NONE_HERE = ['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
/** The system keeps these itself: some belong to the old bytes (a digest of them), others only the system may set. */
const OF_THE_SYSTEM = /^(?:security|trusted|com\.apple)\./;

/** The attributes of an open file that are the user's to keep; null where nobody can tell. */
export function readAttributes(file: number): FileAttributes | null {
  try {
    const native = loadNative();
    const names = native.listAttrsSync(file).filter((name) => !OF_THE_SYSTEM.test(name));
    return new Map(names.map((name) => [name, attributeOf(native, file, name)]));
  } catch (error) {
    return NONE_HERE.includes((error as NodeJS.ErrnoException).code ?? '') ? new Map() : null;
  }
}

/** Gives an open file this access list, or takes away the one that it has from its folder. To be done before its mode is set. */
export function setAccessList(file: number, attributes: FileAttributes): void {
  const list = attributes.get(ACCESS_LIST);
  if (list !== undefined) loadNative().setAttrSync(file, ACCESS_LIST, list);
  else if (readAttributes(file)?.has(ACCESS_LIST)) loadNative().removeAttrSync(file, ACCESS_LIST);
}

/** Gives an open file these attributes, as far as it has not got them already. Answers the names of those that it does not take. */
export function setAttributes(file: number, attributes: FileAttributes): string[] {
  for (const name of differing(file, attributes)) {
    try {
      loadNative().setAttrSync(file, name, attributes.get(name) ?? Buffer.alloc(0));
    } catch {
      // It is named in the answer.
    }
  }
  return differing(file, attributes);
}

function differing(file: number, attributes: FileAttributes): string[] {
  const now = readAttributes(file);
  return [...attributes].flatMap(([name, value]) => (now?.get(name)?.equals(value) ? [] : [name]));
}

function attributeOf(native: NativeFiles, file: number, name: string): Buffer {
  const value = native.getAttrSync(file, name);
  if (value === null) throw new Error(`the attribute ${name} went away while it was read`);
  return value;
}
