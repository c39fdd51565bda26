import { pluginGate } from './opencode-plugin-gate.ts';
import type { HookConfigOptions } from './options.ts';

/** The first line of the plugin: a file without it is not ours. */
export const PLUGIN_MARK =
  '// Tells rollcall what opencode does. Written by rollcall: changes are overwritten.';

/** Hooks of a plugin, as opposed to events of opencode's bus. */
const HOOK_NAMES = ['chat.message', 'tool.execute.before', 'tool.execute.after', 'dispose'];

/**
 * The plugin that opencode loads. It needs no package, never throws, and leaves one small file per event in the spool, in
 * the format of the hook script: who and what, never what was said or done. Without a spool it does nothing.
 */
export function opencodePlugin({
  spoolFolder,
  events: { opencode: events },
  gate,
}: Pick<HookConfigOptions, 'spoolFolder' | 'events' | 'gate'>): string {
  const heard = events.filter((event) => !HOOK_NAMES.includes(event));
  return `${PLUGIN_MARK}
import { spawn } from "node:child_process"
import { appendFileSync, lstatSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { uptime } from "node:os"

const spool = ${JSON.stringify(spoolFolder)}
const gate = ${JSON.stringify(gate.folder)}
const node = ${JSON.stringify(gate.node)}
const program = ${JSON.stringify(gate.program)}
const heard = new Set(${JSON.stringify(heard)})
let count = 0

// The runtime's own uptime is in whole seconds, and ahead of the kernel's.
function since() {
  try {
    const [seconds, hundredths] = readFileSync("/proc/uptime", "latin1").split(" ", 1)[0].split(".")
    return seconds + hundredths
  } catch {
    return String(Math.floor(uptime() * 100))
  }
}

function write(folder, event, payload) {
  count += 1
  const ticks = since().padStart(16, "0")
  const pid = process.pid
  const name = [ticks, String(pid).padStart(10, "0"), process.ppid, String(count).padStart(8, "0")].join(".")
  const { TMUX, TMUX_PANE } = process.env
  const lines = ["rollcall-hook=1", "agent=opencode", "event=" + event, "pid=" + pid, "parent_pid=" + pid, "agent_pid=" + pid]
  for (const [key, value] of Object.entries({ TMUX, TMUX_PANE })) {
    if (value && !value.includes("\\n")) lines.push(key + "=" + value)
  }
  const text = lines.join("\\n") + "\\n\\n" + JSON.stringify(payload) + "\\nend=" + name + "\\n"
  writeFileSync(folder + "/" + name, text, { flag: "wx", mode: 0o600 })
  return name
}

function tell(event, payload) {
  try {
    write(spool, event, payload)
  } catch {
    // rollcall hears nothing then; opencode goes on.
  }
}

function told(event) {
  const { sessionID, id, requestID, reply, permission, status, info, error } = event?.properties ?? {}
  return {
    type: event?.type,
    properties: {
      sessionID,
      id,
      requestID,
      reply,
      permission,
      status: status && { type: status.type, attempt: status.attempt, next: status.next },
      info: info && { id: info.id, parentID: info.parentID, directory: info.directory, version: info.version },
      error: error && { name: error.name },
    },
  }
}

function called(input) {
  return { sessionID: input?.sessionID, tool: input?.tool, callID: input?.callID }
}

${pluginGate()}
export const RollcallPlugin = async (given) => ({
  event: async (input) => {
    try {
      const event = input?.event
      if (heard.has(event?.type)) tell(event.type, told(event))
      follow(event, given?.client)
    } catch {
      // As above.
    }
  },
${HOOK_NAMES.filter((name) => events.includes(name))
  .map(hookText)
  .join('')}})
`;
}

function hookText(name: string): string {
  if (name === 'dispose') return '  dispose: async () => {\n    giveUp()\n    tell("dispose", {})\n  },\n';
  const tell = `tell(${JSON.stringify(name)}, called(input))`;
  return name === 'chat.message'
    ? `  "chat.message": async (input, output) => {\n    begin(input, output)\n    ${tell}\n  },\n`
    : `  ${JSON.stringify(name)}: async (input) => ${tell},\n`;
}
