/**
 * The program that agents call as `<script> <agent> <event>`, with their JSON on stdin: a script for any POSIX shell that
 * leaves one file in the spool. It must never disturb the agent: nothing printed, exit status 0 whatever happens, no
 * endless wait, and no process more than needed (timeout and dd; everything else is built into the shell).
 *
 * The file: lines `key=value` (`rollcall-hook=1`, `agent`, `event`, `pid`, `parent_pid`, then what the environment has of
 * the variables below), an empty line, the payload as it came, and `\nend=<name of the file>\n`. A file without its end
 * is not finished. That end instead of a rename saves a process, and makes the file's mtime the moment at which it was
 * finished, which is the order of events. Names sort by when the hook was called.
 */
export function hookScript(spoolFolder: string): string {
  return `#!/bin/sh
# Tells rollcall what an agent does. Written by rollcall: changes are overwritten.
# Closed first, so that even a missing /dev/null is not complained about.
exec 2>&-
trap 'exit 0' 0
trap '' 1 2
exec 2>/dev/null

LC_ALL=C
PATH=/usr/bin:/bin\${PATH:+:$PATH}
newline='
'
spool=${quoted(spoolFolder)}
agent=$1
event=$2

# Unique without asking another program: hundredths of a second since the start of the machine, and who this is.
name_event() {
  salt=\${RANDOM:-0}
  read -r uptime idle </proc/uptime || uptime=0.00
  since=00000000000000\${uptime%.*}\${uptime#*.}
  pid=000000000$$
  name=\${since#"\${since%????????????????}"}.\${pid#"\${pid%??????????}"}.$PPID.$salt
  while [ -e "$spool/$name" ] && [ \${#name} -lt 99 ]; do name=\${name}x; done
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

record() {
  case $agent$event in
    *[!A-Za-z0-9._-]*) return ;;
  esac
  [ -n "$agent" ] && [ -n "$event" ] && [ \${#agent} -le 64 ] && [ \${#event} -le 64 ] || return
  [ -d "$spool" ] || return
  umask 077
  set -fC
  made=
  name_event
  {
    made=yes
    write_header && copy_payload && printf '\\nend=%s\\n' "$name"
  } >"$spool/$name" || {
    [ -n "$made" ] && command rm -f -- "$spool/$name"
  }
}

record
exit 0
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
