/** How far a test lies from a source: its own test, one of its folder, of its layer, or any. */
export function distance(test: string, source: string): number {
  const [own, folder] = [source.slice('src/'.length, -'.ts'.length), folderOf(source.slice('src/'.length))];
  const at = test.slice('test/'.length);
  if (at.startsWith(`${own}.`)) return 0;
  if (folderOf(at) === folder) return 1;
  return at.startsWith(`${folder.split('/').slice(0, 2).join('/')}/`) ? 2 : 3;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
