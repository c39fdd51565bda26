import { END_HEAD, END_TAIL } from '../../../core/memory/ended.ts';
import { commandText, literal, shellWord } from './words.ts';

/** Where tmux writes down how a program ended, and with which program it is asked. */
export interface EndPlace {
  /** Made by whoever starts the session; only the user can reach it. */
  readonly folder: string;
  /** The absolute path of tmux: a server need not have it in its PATH. */
  readonly tmuxPath: string;
  /** Where its other programs are, if not where a system has them: absolute folders, since the session's own PATH may name its project. */
  readonly programPath: string;
}

/** One end to be written down. */
export interface EndHook extends EndPlace {
  readonly socketPath: string;
  readonly run: string;
  /** Keep the pane with its last screen. */
  readonly isKept: boolean;
}

/** The place of our own in the list of hooks. */
const HOOK_NAME = 'pane-died';
const HOOK = `${HOOK_NAME}[900]`;
/** Finds a hook at another place in what tmux shows of a pane's own. */
export const OTHERS_HOOK = /^pane-died\[(?!900\])/m;
/** Says that the pane's end is to be written down. Off again where the pane stays after that, or it could not be written. */
export const RECORDS_END = '@rollcall_ends';

/**
 * Commands by which tmux itself writes down how the pane's program ended: no wrapper around the program, no daemon. The
 * pane stays (`remain-on-exit`) until its hook has run, and then goes as it would have gone.
 */
export function endHookCommands(pane: string, hook: EndHook): string[][] {
  const run = commandText([['run-shell', '-b', hookScript(hook)]]);
  return [
    ['set-hook', '-p', '-t', pane, HOOK, run],
    ['set-option', '-p', '-t', pane, 'remain-on-exit', 'on'],
    ['set-option', '-p', '-t', pane, RECORDS_END, 'on'],
  ];
}

/**
 * Commands by which the pane stays when its program ends, and nobody writes that down: whoever asks for it puts another one
 * there. A hook that does nothing hides the user's own: one that starts the program of a dead pane again would send a first
 * prompt twice.
 */
export function heldEndCommands(pane: string): string[][] {
  return [
    ['set-hook', '-p', '-t', pane, HOOK, commandText([['set-option', '-p', '-u', '-t', pane, RECORDS_END]])],
    ['set-option', '-p', '-t', pane, 'remain-on-exit', 'on'],
    ['set-option', '-p', '-u', '-t', pane, RECORDS_END],
  ];
}

/** What somebody else did with the pane since it was held stays as it is. */
export function recordAgainCommands(pane: string, hook: EndHook): string[][] {
  const [set = [], , told = []] = endHookCommands(pane, hook);
  // It stays until its hook has run ever since it was held, unless somebody wants it otherwise.
  return [onlyIf(pane, IS_OURS_OR_FREE, [set, told])];
}

/**
 * Commands by which all of that is the user's again, with what they had set for this pane; nothing that they have set since is
 * touched. `hasOthers`: the pane has other hooks by now. An empty list of hooks would hide those of its window and of
 * everybody, so that the list itself goes with the last of them. Up to 3.4 tmux can compare one hook in the command that acts,
 * and not the whole list: there a hook that somebody adds at a place of their own choice at that very moment goes too.
 */
export function freeEndCommands(pane: string, remain: string | null, hasOthers: boolean): string[][] {
  const own = ['set-hook', '-p', '-u', '-t', pane, HOOK];
  const all = ['set-hook', '-p', '-u', '-t', pane, HOOK_NAME];
  const alone = ['if-shell', '-F', '-t', pane, IS_ALONE, commandText([all]), commandText([own])];
  const before =
    remain === null
      ? ['set-option', '-p', '-u', '-t', pane, 'remain-on-exit']
      : ['set-option', '-p', '-t', pane, 'remain-on-exit', remain];
  return [onlyIf(pane, IS_OURS, [hasOthers ? own : alone]), onlyIf(pane, REMAINS, [before])];
}

function onlyIf(pane: string, condition: string, commands: readonly (readonly string[])[]): string[] {
  return ['if-shell', '-F', '-t', pane, condition, commandText(commands)];
}

/** tmux 3.0 tells nothing of what is set for a pane itself. */
const UNTOLD = '#{m:3.0*,#{version}}';
/** Either hook of ours, whole, as tmux writes it: flags and marks differ from version to version. */
const IS_OURS = anyOf(
  UNTOLD,
  `#{m:set-option -*${RECORDS_END},#{${HOOK}}}`,
  `#{m:run-shell -b *${RECORDS_END}*exit 0?,#{${HOOK}}}`,
);
const IS_OURS_OR_FREE = anyOf(IS_OURS, `#{==:#{${HOOK}},}`);
/** Nothing is where another hook would be put; since 3.5 also that the whole list is that one hook. */
const IS_ALONE = `#{&&:#{==:#{${HOOK_NAME}[0]},},${anyOf(`#{==:#{${HOOK_NAME}},}`, `#{==:#{${HOOK_NAME}},#{${HOOK}}}`)}}`;
/** Before 3.2 it is written as a number. */
const REMAINS = anyOf(UNTOLD, '#{==:#{remain-on-exit},on}', '#{==:#{remain-on-exit},1}');

// tmux takes two at once.
function anyOf(...conditions: readonly string[]): string {
  return conditions.reduceRight((rest, one) => `#{||:${one},${rest}}`);
}

/**
 * The shell script of the hook. tmux expands its formats when the program has ended, and runs it with /bin/sh beside its
 * own work. Nothing is removed where the record could not be written: then the dead pane tells. It prints nothing and
 * ends with 0, since tmux would show anything else to whoever is attached.
 */
function hookScript({ folder, tmuxPath, programPath, socketPath, run, isKept }: EndHook): string {
  const status = "'status #{pane_dead_status}' 'signal #{pane_dead_signal}'";
  const facts = `${status} 'pid #{pane_pid}' '${SHOWN}'`;
  return `exec >/dev/null 2>&1
umask 077
PATH=/usr/bin:/bin:${shellWord(programPath)}
d=${shellWord(folder)}
f=$d/${run}.$$
t() { ${shellWord(tmuxPath)} -u -S ${shellWord(socketPath)} "$@"; }
[ -d "$d" ] || mkdir "$d"
if {
  printf '%s\\n' '${END_HEAD}' ${facts} "time $(date +%s)" &&
  { t list-panes -a -f '${THIS_PANE}' -F '${literal(SHOWN)}' || :; } &&
  echo &&
  { t capture-pane -p -S -${ROWS} -t '#{pane_id}' || :; } &&
  printf '%s\\n' '' '${END_TAIL}'
} >"$f" && { sync "$f" || [ $? -eq 127 ]; } && mv -f "$f" "$d/${run}"
then t if-shell -F -t '#{pane_id}' '${STILL_IT}' '${afterwards(isKept)}'
else
  rm -f "$f"
  t set-option -p -u -t '#{pane_id}' ${RECORDS_END}
fi
exit 0`;
}

const ROWS = 200;

/**
 * A session that shows the pane, and a dot for each of its panes. tmux takes one of them when the program ends; all are asked for
 * after that, since a person may look at the same windows through a session of their own.
 */
const SHOWN = 'session #{session_id} #{W:#{P:.}}';
const THIS_PANE = `${literal('#{==:#{pane_id},')}#{pane_id}}`;

/** Compared by tmux when it acts: a pane that somebody has started anew is left alone. */
const STILL_IT = `${literal('#{&&:#{pane_dead},#{==:#{pane_pid},')}#{pane_pid}}}`;

/**
 * What is done once the end is on the disk, as one text for tmux. Our own hook hides the user's on this pane, so it is
 * taken off and theirs are run, where the pane stays and they would have been run.
 */
function afterwards(isKept: boolean): string {
  const theirs = [
    ['set-hook', '-p', '-u', '-t', PANE, 'pane-died'],
    ['set-hook', '-R', '-t', PANE, 'pane-died'],
    ['set-option', '-p', '-u', '-t', PANE, RECORDS_END],
  ];
  if (isKept) return forPane(commandText(theirs));
  const remove = commandText([['kill-pane', '-t', PANE]]);
  return forPane(
    commandText([
      ['set-option', '-p', '-u', '-t', PANE, 'remain-on-exit'],
      ['if-shell', '-F', '-t', PANE, WOULD_GO, remove, commandText(theirs)],
    ]),
  );
}

/** Whether the pane would have gone with its program: by what holds for its window, now that ours is taken off. */
const WOULD_GO =
  '#{||:#{==:#{remain-on-exit},off},#{&&:#{==:#{remain-on-exit},failed},#{==:#{pane_dead_status},0}}}';

/** Stands for the pane's id, which tmux knows when the program has ended. */
const PANE = 'the-pane';

function forPane(text: string): string {
  return text.replaceAll(PANE, '#{pane_id}');
}
