import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasWorlds, World } from '../laws/world.ts';
import { until } from '../support/until.ts';

/** Says idle at once, and then works in its own process, at a part of the processor time however busy the machine is. */
const BUSY = `#!/bin/bash
share=$1 conversation=$2 file=$3
printf '\\n  a scripted agent\\n\\n> '
echo "$$ idle none $conversation" > "$file"
since=\${EPOCHREALTIME/./}
while :; do
  read -r ns _ < "/proc/$$/schedstat"
  if (( ns / 10 < (\${EPOCHREALTIME/./} - since) * share )); then
    for ((turn = 0; turn < 500; turn++)); do :; done
  elif IFS= read -r -t 0.02 line && [ "$line" = /exit ]; then
    exit 0
  fi
done
`;

/** Another agent is at work: each of its hooks may begin a round. */
const STORM = `while :; do
  echo '{"session_id":"s1","hook_event_name":"PreToolUse"}' | "$XDG_DATA_HOME/rollcall/hook.sh" claude PreToolUse
  sleep 0.05
done`;

/** Many times what it takes until a completion is acted on. */
const ROUNDS = 60;

describe.skipIf(!hasWorlds)('law 1: looks that come often', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open({ daemon: { port: 0 } });
  });
  afterEach(() => world.close());

  const rounds = async () => {
    const told = await world.asked<{ supervision: { rounds: number } | null }>(['status']);
    return told.supervision?.rounds ?? 0;
  };

  test('S24: an agent that works in its own process and says idle is not closed however many rounds are called for', async () => {
    writeFileSync(world.agents.program, BUSY, { mode: 0o755 });
    await world.rollcall(['hooks', 'install', '--yes', 'claude']);
    await world.session('other');
    await world.ask(['run', '--name', 'busy', '--', ...world.agents.argv('busy', '25')]);
    const pid = await world.agents.pid('busy');
    await world.rollcall(['up']);
    const storm = world.start(['bash', '-c', STORM]);
    await world.ask(['complete', 'busy', '--evidence', 'done']);
    const seen = await rounds();
    const isOver = async () => !world.isAlive(pid) || (await rounds()) > seen + ROUNDS;
    await until('many rounds were taken', isOver, undefined, 60_000);
    storm.kill('SIGKILL');
    expect(world.isAlive(pid)).toBe(true);
    expect(await world.names()).toContain('busy');
  });
});
