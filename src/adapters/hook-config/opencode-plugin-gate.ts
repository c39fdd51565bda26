/**
 * The plugin's part of the stop gate. opencode cannot be kept from stopping: when a session rests, the plugin asks
 * rollcall, and prompts the session if it should go on. A person's prompt goes first, and a turn that was interrupted or
 * failed is never continued. Nothing here throws or blocks opencode.
 */
export function pluginGate(): string {
  return `// The last turn of each session, and whose child a session is.
const turns = new Map()
const parents = new Map()
const asked = new Map()

function keep(map, key, value) {
  map.delete(key)
  map.set(key, value)
  if (map.size > 1000) map.delete(map.keys().next().value)
}

function begin(input, output) {
  try {
    const { agent, model, id } = output?.message ?? {}
    const before = turns.get(input?.sessionID)
    keep(turns, input?.sessionID, {
      id,
      agent: agent ?? input?.agent,
      model: model ?? input?.model,
      variant: input?.variant,
      isOwn: before?.isSent === true,
    })
  } catch {
    // Then nobody is asked about this turn.
  }
}

function follow(event, client) {
  const { sessionID, info } = event?.properties ?? {}
  if (event?.type === "session.created" && info?.id) keep(parents, info.id, info.parentID ?? null)
  const turn = turns.get(sessionID)
  if (turn === undefined) return
  if (event.type === "session.error") turn.isFailed = true
  if (event.type === "session.idle") stopped(sessionID, turn, client).catch(() => {})
}

async function stopped(sessionID, turn, client) {
  if (turn.isFailed || turn.isAsked || parents.get(sessionID) || !isOwned()) return
  turn.isAsked = true
  const parentID = await parentOf(sessionID, client)
  if (parentID !== null) return
  const reason = await ask({
    type: "session.idle",
    properties: { sessionID, info: { id: sessionID, parentID }, messageID: turn.id },
    stop_hook_active: turn.isOwn,
  })
  if (reason !== null && turns.get(sessionID) === turn && !turn.isFailed) await prompt(sessionID, turn, reason, client)
}

function isOwned() {
  try {
    if (isThere(gate + "/off")) return false
    const owners = statSync(gate + "/owners")
    if (!owners.isFile() || owners.size > 1048576) return false
    const { TMUX = "", TMUX_PANE = "" } = process.env
    const server = /,(\\d+),[^,]*$/.exec(TMUX)?.[1]
    const place = server && /^%\\d+$/.test(TMUX_PANE) ? " " + server + " " + TMUX_PANE : ""
    const [mark, ...lines] = readFileSync(gate + "/owners", "utf8").split("\\n")
    if (mark === "rollcall-owners=1" && (lines.includes("kind opencode") || (place && lines.includes("pane" + place)))) return true
    if (!isThere(gate + "/passed") || statSync(gate + "/passed").isFile()) {
      appendFileSync(gate + "/passed", "opencode" + place + "\\n", { mode: 0o600 })
    }
  } catch {
    // Nobody owns anything then.
  }
  return false
}

function isThere(path) {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

// Null for a session of its own, undefined where that cannot be told.
async function parentOf(sessionID, client) {
  if (parents.has(sessionID)) return parents.get(sessionID)
  const found = await Promise.race([client.session.get({ path: { id: sessionID } }), after(1000)])
  const info = found?.data
  return info?.id === sessionID ? (info.parentID ?? null) : undefined
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms).unref?.())
}

// The reason to go on; null where there is none, for whatever cause.
async function ask(payload) {
  const name = write(gate + "/stops", "session.idle", payload)
  try {
    let said = await run(name, 1700, [])
    if (said.status === 11 && /^(?:[1-9]\\d?|[1-5]\\d\\d|600)\\n?$/.test(said.answer)) {
      said = await run(name, Number(said.answer) * 1000, ["run"])
    }
    const answer = said.status === 10 ? JSON.parse(said.answer) : null
    return answer?.decision === "block" && typeof answer.reason === "string" ? answer.reason : null
  } finally {
    remove(name)
  }
}

function remove(name) {
  try {
    unlinkSync(gate + "/stops/" + name)
  } catch {
    // rollcall took it.
  }
}

const CHANGES_NODE = ["NODE_OPTIONS", "NODE_PATH", "NODE_V8_COVERAGE", "NODE_DEBUG", "NODE_CHANNEL_FD", "NODE_UNIQUE_ID"]

function run(name, ms, more) {
  return new Promise((resolve) => {
    const env = { ...process.env }
    for (const key of CHANGES_NODE) delete env[key]
    // In a group of its own, so that what it started ends with it.
    const child = spawn(node, [program, "__stop", gate, name, ...more], { env, detached: true, stdio: ["ignore", "pipe", "ignore"] })
    let answer = ""
    const timer = setTimeout(() => {
      end(child)
      done(null)
    }, ms)
    timer.unref?.()
    const done = (status) => {
      clearTimeout(timer)
      asked.delete(name)
      child.stdout?.destroy()
      resolve({ status, answer })
    }
    asked.set(name, child)
    child.stdout?.on("data", (text) => {
      if (answer.length < 65536) answer += text
    })
    child.on("error", () => done(null))
    child.on("close", done)
    // What it left behind may keep its output open for ever.
    child.on("exit", (status) => setTimeout(done, 200, status).unref?.())
  })
}

function end(child) {
  // Its number may be somebody else's once it has ended.
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

function giveUp() {
  for (const [name, child] of asked) {
    end(child)
    remove(name)
  }
}

async function prompt(sessionID, turn, text, client) {
  const { agent, model, variant } = turn
  const body = { parts: [{ type: "text", text }] }
  if (agent) body.agent = agent
  if (model?.providerID && model?.modelID) body.model = { providerID: model.providerID, modelID: model.modelID }
  if (variant) body.variant = variant
  turn.isSent = true
  const send = client.session.promptAsync ?? client.session.prompt
  const sent = await send.call(client.session, { path: { id: sessionID }, body })
  if (sent?.error) turn.isSent = false
}
`;
}
