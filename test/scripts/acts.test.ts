import { describe, expect, test } from 'vitest';
import { actsIn, actsMarkdown, compareActs, findActs } from '../../scripts/acts.ts';

const whats = (text: string) => actsIn('src/x.ts', text).map(({ within, what }) => `${within}: ${what}`);

describe('the list of acts', () => {
  test.each([
    ['a signal', 'function end() { process.kill(1, "SIGTERM"); }', ['end: process.kill']],
    ['a child that is ended', 'function end(child) { child.kill(); }', ['end: child.kill']],
    ['a question by signal 0', 'function ask() { process.kill(pid, 0); }', ['ask: process.kill 0']],
    ['a removed file', 'export const go = () => unlinkSync("x");', ['go: unlinkSync']],
    ['a remover that is handed over', 'function put() { write(path, renameSync); }', ['put: renameSync']],
    ['a tmux command in a list', 'const argv = ["kill-session", "-t", id];', ['argv: tmux kill-session']],
    ['a tmux command as text', 'function f() { run("kill-pane -t %1"); }', ['f: tmux kill-pane']],
    [
      'a port that types',
      'class A { go() { return hands.tmux.press(t, "Enter"); } }',
      ['go: hands.tmux.press'],
    ],
    ['a port that signals', 'function f() { hands.processes.signal(p, s); }', ['f: hands.processes.signal']],
    ['a program in a text', 'const SCRIPT = `\n  rm -f "$file"\n`;', ['SCRIPT: text: rm']],
    ['rows that are deleted', 'const q = "DELETE FROM entry";', ['q: SQL DELETE']],
    [
      'prose, and names that only sound so',
      'const t = "kill it"; const m = { kill: 1 }; lock("lock-held");',
      [],
    ],
  ])('finds %s', (_, text, found) => {
    expect(whats(text)).toEqual(found);
  });

  test('names what is not on it, and what is on it and gone', () => {
    const acts = findActs();
    const added = { file: 'src/new.ts', within: 'end', what: 'process.kill' };
    expect(compareActs([...acts, added])).toEqual({ missing: ['src/new.ts end: process.kill'], stale: [] });
    expect(compareActs(acts.slice(1)).stale).toHaveLength(1);
    expect(() => actsMarkdown([...acts, added])).toThrow('not on the list: src/new.ts end: process.kill');
  });
});
