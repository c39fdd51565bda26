import { createRequire } from 'node:module';

/** What the kernel can do with files and Node.js cannot. */
export interface NativeFiles {
  /**
   * Takes a lock on an open file without waiting; false when another open file holds it. Without a range it covers the
   * whole file. The kernel releases it when the last descriptor is closed.
   */
  tryLock(file: number, offset?: number, length?: number, options?: { readonly shared: boolean }): boolean;
  /** Has two paths change places in one step. */
  swapSync(one: string, other: string): void;
  /** The names of an open file's extended attributes. */
  listAttrsSync(file: number): string[];
  /** One of them; null where it has none of that name. */
  getAttrSync(file: number, name: string): Buffer | null;
  setAttrSync(file: number, name: string, value: Buffer): void;
  removeAttrSync(file: number, name: string): void;
}

let loaded: NativeFiles | Error | undefined;

/** Loads the package at the first use: it takes some 20 ms, and what failed once fails again. */
export function loadNative(): NativeFiles {
  if (loaded === undefined) {
    try {
      loaded = createRequire(import.meta.url)('fs-native-extensions') as NativeFiles;
    } catch (error) {
      loaded = error as Error;
    }
  }
  if (loaded instanceof Error) throw loaded;
  return loaded;
}
