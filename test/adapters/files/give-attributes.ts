import { closeSync, openSync } from 'node:fs';
import { loadNative } from '../../../src/adapters/native/load-native.ts';

/** One user more may read it, and its group may not, though its mode says so; and a note is attached. False where files have no such lists. */
export function giveAttributes(to: string): boolean {
  const entry = (tag: number, rights: number, id = 0xffffffff) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(rights, 2);
    bytes.writeUInt32LE(id, 4);
    return bytes;
  };
  const [owner, user, group, mask, other] = [1, 2, 4, 16, 32];
  const entries = [entry(owner, 6), entry(user, 4, 33), entry(group, 0), entry(mask, 4), entry(other, 0)];
  const opened = openSync(to, 'r+');
  try {
    loadNative().setAttrSync(
      opened,
      'system.posix_acl_access',
      Buffer.concat([Buffer.of(2, 0, 0, 0), ...entries]),
    );
    loadNative().setAttrSync(opened, 'user.note', Buffer.from('mine'));
    return true;
  } catch {
    return false;
  } finally {
    closeSync(opened);
  }
}
