import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';

/**
 * The scripted agent, and more: it writes down every line and signal that it is given, begins a turn at SIGUSR1, ends by itself
 * at SIGUSR2, and works when it is told to `work NAME`. `leaves`, `deaf` and `child` mean what they mean of the scripted agent.
 * `working`, `waiting`, `drafted` and `background` is what it says from the beginning; `job` has a child in its terminal.
 */
const AGENT = `#!/bin/sh
how=$1 conversation=$2 file=$3 woken=
say() { echo "$$ $1 $2 $conversation" > "$file.new" && mv "$file.new" "$file"; }
note() { echo "$*" >> "$file.log"; }
trap 'woken=1; say working none; printf "\\n  Working...\\n"; note turn' USR1
trap 'note HUP; exit 129' HUP
trap 'exit 0' USR2
case $how in
  *deaf*) trap 'woken=1; note TERM' TERM ;;
  *) trap 'note TERM; echo; exit 143' TERM ;;
esac
case $how in *child*) setsid sleep 100000 & ;; esac
case $how in *job*) sleep 100000 & ;; esac
printf '\\n  a scripted agent\\n  %s\\n\\n> ' "$conversation"
case $how in
  *working*) say working none ;;
  *waiting*) say waiting permission ;;
  *drafted*) say idle draft ;;
  *background*) say idle background ;;
  *) say idle none ;;
esac
while :; do
  if ! IFS= read -r line; then
    [ -n "$woken" ] || exit 0
    woken=
    continue
  fi
  note "line $line"
  case $line in
    /exit)
      case $how in
        *leaves*) exit 0 ;;
        *) printf 'Done.\\n> ' ;;
      esac ;;
    */bin/work\\ *) say working none; printf 'Working...\\n'; $line & ;;
    *) printf '%s?\\n> ' "$line" ;;
  esac
done
`;

const WORK = `#!/bin/bash
exec -a "$1" sleep 100000
`;

/** Puts both programs into a world; the agent takes the place of the scripted one. */
export function equip(world: World): void {
  writeFileSync(world.agents.program, AGENT);
  writeFileSync(workProgram(world), WORK);
  for (const path of [world.agents.program, workProgram(world)]) chmodSync(path, 0o755);
}

/** A program that works until it is ended, under the name that it is given. */
export function workProgram(world: World): string {
  return join(world.folder, 'bin', 'work');
}

/** What an agent was given, in order: `line TEXT`, `TERM`, `HUP`, `turn`. */
export function givenTo(world: World, name: string): string[] {
  const path = `${world.agents.file(name)}.log`;
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
