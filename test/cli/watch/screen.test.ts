import { describe, expect, it } from 'vitest';
import { openScreen } from '../../../src/cli/watch/screen.ts';
import { FakeTerminal } from './fake-terminal.ts';

function opened() {
  const terminal = new FakeTerminal();
  const screen = openScreen(terminal.surroundings.stdout, terminal.surroundings.stdin);
  terminal.take();
  return { terminal, screen };
}

describe('the screen driver', () => {
  it('writes only lines that changed, each at its place', () => {
    const { terminal, screen } = opened();
    screen.draw(['one', 'two']);
    expect(terminal.take()).toBe('\u001b[1;1H\u001b[2Kone\u001b[2;1H\u001b[2Ktwo');
    screen.draw(['one', 'zwei']);
    expect(terminal.take()).toBe('\u001b[2;1H\u001b[2Kzwei');
    screen.draw(['one', 'zwei']);
    expect(terminal.take()).toBe('');
  });

  it('gives the terminal back once, and draws nothing after that', () => {
    const { terminal, screen } = opened();
    screen.close();
    expect(terminal.take()).toBe('\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l');
    screen.close();
    screen.renew();
    screen.draw(['late']);
    expect(terminal.take()).toBe('');
    expect(terminal).toMatchObject({ isRaw: false, rawSwitches: 2 });
  });
});
