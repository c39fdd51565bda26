import { OWNER_FUNCTIONS, STOP_FUNCTIONS } from './stop-functions.ts';

/** What the script is made for. */
export interface HookScriptParts {
  readonly spoolFolder: string;
  /** Where the stop gate keeps what the script looks at. */
  readonly gateFolder: string;
  /** The event that ends a turn, by agent; only these are ever held up. */
  readonly stopEvents: Readonly<Record<string, string>>;
  /** The Node.js that rollcall runs on, and rollcall itself: absolute paths. */
  readonly node: string;
  readonly program: string;
}

/**
 * The program that agents call as `<script> <agent> <event>`, with their JSON on stdin: a script for any POSIX shell that
 * leaves one file in the spool. It must never disturb the agent: nothing printed, exit status 0 whatever happens, no
 * endless wait, and no process more than needed (timeout and dd; everything else is built into the shell).
 *
 * The file: lines `key=value` (`rollcall-hook=1`, `agent`, `event`, `pid`, `parent_pid`, then what the environment has of
 * the variables below), an empty line, the payload as it came, and `\nend=<name of the file>\n`. A file without its end
 * is not finished. That end instead of a rename saves a process, and makes the file's mtime the moment at which it was
 * finished, which is the order of events. Names sort by when the hook was called.
 *
 * The end of a turn in a pane whose agent owns unfinished work is the one exception: the file goes to the gate first, and
 * rollcall is asked. Its answer is printed only where it says to go on (status 10, one line of JSON). It may ask for time
 * to run checks (status 11, seconds). Whatever else happens, the event ends up in the spool and the agent stops. Who owns
 * anything stands in a small file, so that nobody else starts more than before.
 */
export function hookScript(parts: HookScriptParts): string {
  const stops = Object.entries(parts.stopEvents).map(([agent, event]) => quoted(`${agent} ${event}`));
  return `#!/bin/sh
# Tells rollcall what an agent does. Written by rollcall: changes are overwritten.
# Closed first, so that even a missing /dev/null is not complained about.
exec 2>&-
trap 'exit 0' 0
trap '' 1 2
# Whoever ends this hook early gets what came until then recorded; heard after a program, and not passed on to it.
left=
trap left=yes 15
exec 2>/dev/null

given_path=$PATH
given_locale=\${LC_ALL-unset}
LC_ALL=C
PATH=/usr/bin:/bin\${PATH:+:$PATH}
newline='
'
spool=${quoted(parts.spoolFolder)}
gate=${quoted(parts.gateFolder)}
node=${quoted(parts.node)}
program=${quoted(parts.program)}
agent=$1
event=$2

# Unique without asking another program: hundredths of a second since the start of the machine, and who this is.
name_event() {
  salt=\${RANDOM:-0}
  read -r uptime idle </proc/uptime || uptime=0.00
  since=00000000000000\${uptime%.*}\${uptime#*.}
  pid=000000000$$
  name=\${since#"\${since%????????????????}"}.\${pid#"\${pid%??????????}"}.$PPID.$salt
  while { [ -e "$folder/$name" ] || [ -e "$spool/$name" ]; } && [ \${#name} -lt 99 ]; do name=\${name}x; done
}

# A value that would not stay on its line is left out.
carry() {
  case $2 in
    '' | *"$newline"*) ;;
    *) header=$header$newline$1=$2 ;;
  esac
}

write_header() {
  header=rollcall-hook=1
  carry agent "$agent"
  carry event "$event"
  carry pid "$$"
  carry parent_pid "$PPID"
  carry TMUX "$TMUX"
  carry TMUX_PANE "$TMUX_PANE"
  carry CLAUDE_PID "$CLAUDE_PID"
  carry CLAUDE_CODE_SESSION_ID "$CLAUDE_CODE_SESSION_ID"
  carry GEMINI_SESSION_ID "$GEMINI_SESSION_ID"
  carry CODEX_THREAD_ID "$CODEX_THREAD_ID"
  printf '%s\\n\\n' "$header"
}

# At most 16 MiB and 5 s. dd writes at once what it reads: what came is kept when the time is up.
copy_payload() {
  [ -t 0 ] && return 0
  { :; } 3<&0 || return 0
  command timeout 5 dd bs=4096 count=4096
  case $? in
    0 | 124 | 143) return 0 ;;
    127) command dd bs=4096 count=4096 ;;
    *) return 1 ;;
  esac
}

# Fails where nothing of the payload was read, so that it can be left elsewhere.
record_in() {
  folder=$1
  made=
  name_event
  {
    made=yes
    write_header && copy_payload && printf '\\nend=%s\\n' "$name"
  } >"$folder/$name" || {
    [ -n "$made" ] || return 1
    command rm -f -- "$folder/$name"
    name=
  }
}

case $agent$event in
  *[!A-Za-z0-9._-]*) exit 0 ;;
esac
[ -n "$agent" ] && [ -n "$event" ] && [ \${#agent} -le 64 ] && [ \${#event} -le 64 ] || exit 0
[ -d "$spool" ] || exit 0
set -fC
may_own=
case "$agent $event" in
  ${stops.join(' | ')})
    [ -f "$gate/owners" ] && [ ! -e "$gate/off" ] && [ ! -h "$gate/off" ] && may_own=yes ;;
esac

# A shell reads what follows only once it comes there, and most hooks end here.
[ -n "$may_own" ] || {
  umask 077
  record_in "$spool"
  exit 0
}

${OWNER_FUNCTIONS}

find_place
is_owned || {
  umask 077
  let_pass
  record_in "$spool"
  exit 0
}

${STOP_FUNCTIONS}

hold_stop
exit 0
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
