/** The shell functions that tell whether the session whose turn ends owns anything. They use `agent` and `gate` of the script. */
export const OWNER_FUNCTIONS = `# Where this hook runs: the pid of the tmux server and the pane; both empty outside of tmux.
find_place() {
  server=\${TMUX%,*}
  server=\${server##*,}
  pane=$TMUX_PANE
  case $server in '' | *[!0-9]*) server= ;; esac
  case $pane in %*[!0-9]* | %) pane= ;; %*) ;; *) pane= ;; esac
  [ -n "$server" ] && [ -n "$pane" ] || server= pane=
}

# Looks into the small file, without a process. What is no such file names no one.
is_owned() {
  {
    read -r mark && [ "$mark" = rollcall-owners=1 ] || return 1
    lines=0
    while [ "$lines" -lt 1000 ] && read -r word one two; do
      lines=$((lines + 1))
      case $word in
        pane) [ -n "$pane" ] && [ "$one" = "$server" ] && [ "$two" = "$pane" ] && return 0 ;;
        kind) [ "$one" = "$agent" ] && return 0 ;;
      esac
    done
  } <"$gate/owners"
  return 1
}

let_pass() {
  [ -f "$gate/passed" ] || [ ! -e "$gate/passed" ] || return
  printf '%s\\n' "$agent\${pane:+ $server $pane}" >>"$gate/passed"
}`;

/**
 * The shell functions of the script that hold up the end of a turn: what rollcall says. They use `record_in`, `agent`, `spool`, `gate`,
 * `node`, `program`, `newline`, `given_path` and `given_locale` of the script.
 */
export const STOP_FUNCTIONS = `# The agent waits no longer: what came is kept, and whoever works on an answer is told to stop.
leave() {
  trap '' 15
  # Known as soon as it was started; the pid of one that has ended may be another's by now.
  [ -n "$asking" ] && [ "$!" != "$earlier" ] && kill "$!"
  keep_event
  exit 0
}

keep_event() {
  [ -n "$name" ] && [ -e "$gate/stops/$name" ] && command mv -f -- "$gate/stops/$name" "$spool/$name"
  [ -n "$reply" ] && command rm -f -- "$reply"
}

# What a hook left that was killed: its name tells whose it was. Who cannot be seen is not believed to be gone.
adopt_events() {
  [ -d "/proc/$$" ] || return
  set +f
  for file in "$gate/stops"/[0-9]* "$gate/stops"/.[0-9]*; do
    base=\${file##*/}
    writer=\${base#.}
    writer=\${writer#*.}
    writer=\${writer%%.*}
    writer=\${writer#"\${writer%%[!0]*}"}
    case $writer in '' | *[!0-9]*) continue ;; esac
    [ ! -f "$file" ] || [ -d "/proc/$writer" ] && continue
    case $base in
      .*) command rm -f -- "$file" ;;
      *) command mv -f -- "$file" "$spool/$base" ;;
    esac
  done
  set -f
}

# Asks rollcall, for so many seconds at most, in the environment that the agent gave and without what changes a Node.js.
# In the background with its answer in a file: a signal is heard at once, and nobody who keeps the answer open is waited for.
ask() {
  limit=$1
  shift
  earlier=$!
  asking=yes
  (
    trap - 15
    unset NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE NODE_DEBUG NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
    unset NODE_UNIQUE_ID NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REPL_EXTERNAL_MODULE
    [ "$given_locale" = unset ] && unset LC_ALL || LC_ALL=$given_locale
    umask "$given_umask"
    PATH=$given_path
    exec "$timeout" -s KILL "$limit" "$node" "$program" __stop "$gate" "$name" "$@" </dev/null
  ) >|"$reply" &
  wait "$!"
  status=$?
  asking=
  answer=
  case $status in 10 | 11) answer=$(command dd bs=65536 count=1 <"$reply") ;; esac
}

# Only these words make an agent go on.
say() {
  [ "$status" = 10 ] || return
  case $answer in
    *"$newline"*) ;;
    '{'*'}') printf '%s\\n' "$answer" ;;
  esac
}

hold_stop() {
  asking=
  reply=
  name=
  given_umask=$(umask)
  umask 077
  record_in "$gate/stops" || {
    record_in "$spool"
    return
  }
  trap leave 15
  [ -n "$left" ] && leave
  trap '' 13
  timeout=$(command -v timeout)
  if [ -n "$name" ] && [ -n "$timeout" ]; then
    reply=$gate/stops/.$name
    ask 1.7
    case $status$answer in
      11[1-9] | 11[1-9][0-9] | 11[1-5][0-9][0-9] | 11600) ask "$answer" run ;;
    esac
    say
  fi
  keep_event
  adopt_events
}`;
