/** A call of one of the tools that the agent offers. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How a command is to be run. */
export interface ShellWish {
  readonly command: string;
  readonly isBackground?: boolean;
  /** Ask for more rights than the agent grants by itself. */
  readonly mustAsk?: boolean;
}

const QUESTION = {
  question: 'Which colour shall it be?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'The warm one' },
    { label: 'Blue', description: 'The cold one' },
  ],
};

/** The agent's own shell tool, called its own way; null when it offers none. */
export function shellCall(tools: readonly string[], wish: ShellWish): ToolCall | null {
  const { command, isBackground = false, mustAsk = false } = wish;
  const reason = mustAsk
    ? { sandbox_permissions: 'require_escalated', justification: 'May the scripted model run this?' }
    : {};
  const ways: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    Bash: () => ({ command, description: 'Run it', ...(isBackground && { run_in_background: true }) }),
    exec_command: () => ({ cmd: command, yield_time_ms: isBackground ? 500 : 60_000, ...reason }),
    shell_command: () => ({ command, timeout_ms: 120_000, ...reason }),
    shell: () => ({ command: ['bash', '-c', command], timeout_ms: 120_000, ...reason }),
    bash: () => ({
      command: isBackground ? `(${command}) >/dev/null 2>&1 &` : command,
      description: 'Run it',
    }),
    run_shell_command: () => ({
      command,
      description: 'Run it',
      ...(isBackground && { is_background: true }),
    }),
  };
  return firstOf(tools, ways);
}

/** The agent's own way to ask the user something; null when it has none. */
export function questionCall(tools: readonly string[]): ToolCall | null {
  return firstOf(tools, {
    AskUserQuestion: () => ({ questions: [{ ...QUESTION, multiSelect: false }] }),
    question: () => ({ questions: [QUESTION] }),
    ask_user: () => ({ questions: [{ ...QUESTION, type: 'choice' }] }),
    request_user_input: () => ({ questions: [{ id: 'colour', ...QUESTION }] }),
  });
}

/** The agent's own way to show a plan for approval; null when it has none. */
export function planCall(tools: readonly string[]): ToolCall | null {
  return firstOf(tools, { ExitPlanMode: () => ({ plan: '1. Do it' }) });
}

/** The agent's own way to start a subagent; null when it has none. */
export function delegateCall(tools: readonly string[], prompt: string): ToolCall | null {
  const typed = (type: string) => () => ({ description: 'A part of it', prompt, subagent_type: type });
  return firstOf(tools, {
    Agent: typed('general-purpose'),
    Task: typed('general-purpose'),
    task: typed('general'),
    spawn_agent: () => ({ message: prompt }),
    generalist: () => ({ request: prompt }),
    invoke_agent: () => ({ agent_name: 'generalist', prompt }),
  });
}

function firstOf(
  tools: readonly string[],
  ways: Readonly<Record<string, () => Readonly<Record<string, unknown>>>>,
): ToolCall | null {
  for (const [name, input] of Object.entries(ways)) if (tools.includes(name)) return { name, input: input() };
  return null;
}
