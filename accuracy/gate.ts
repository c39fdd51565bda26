import type { Venue } from './cast.ts';
import { playBreakage } from './gate-breakage.ts';
import { playIdentity, resumeIn } from './gate-identity.ts';
import { playPluginBreakage } from './gate-plugin.ts';
import type { Gated } from './gate-report.ts';
import type { Cast, GateRoom } from './gate-room.ts';
import { inGateRoom } from './gate-room.ts';
import { playBudget, playModes, playSwitch } from './gate-scenes.ts';
import type { GateReportWords } from './gate-words.ts';
import { expectAll, latencyOf, reasonsOf } from './gate-words.ts';
import type { Specimen, Variant } from './specimens/specimen.ts';
import { NotReached } from './until.ts';

/** An agent as it is played with. */
interface Part {
  readonly title: string;
  readonly name: string;
  readonly specimen: Specimen;
  readonly variant: Variant;
}

const AT_ONCE = 2;

/** Lets real agents own pieces of work, and holds what the gate does with their stops and with others' against S53. */
export async function playGates(
  specimens: readonly Specimen[],
  venue: Venue,
  only: readonly string[] | null,
): Promise<Gated[]> {
  const parts = specimens.flatMap(partsOf);
  const waiting = [...parts];
  const played = new Map<Part, Gated>();
  const worker = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const { specimen, variant } = part;
      played.set(part, await inGateRoom(part, { specimen, variant, venue, only }, playAll));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return parts.flatMap((part) => played.get(part) ?? []);
}

// Codex once as one tree of processes, and once with the daemon that all of its panes share.
function partsOf(specimen: Specimen): Part[] {
  const { kind } = specimen;
  const alone: Part = { title: kind, name: `gate-${kind}`, specimen, variant: {} };
  if (kind !== 'codex') return [alone];
  const daemon = { title: `${kind}, its daemon`, name: `gate-${kind}-daemon`, variant: { isDaemon: true } };
  return [alone, { ...alone, ...daemon }];
}

async function playAll(room: GateRoom): Promise<void> {
  // Not the first: the hooks of a shared daemon bear the pane of whoever started it.
  // Each has its first turn at once: some have no conversation before it, and Gemini's next start takes an empty one away.
  const enter = async (name: string) => {
    const actor = await room.enter(name);
    await room.turn(actor, 'done');
    return actor;
  };
  const other = (which: number) => enter(`${room.specimen.kind}-other-${which}`);
  const first = await other(1);
  const owner = await enter(room.ownerName);
  const others = [first, await other(2), await other(3)];
  const cast: Cast = { owner, others };
  await playModes(room, cast);
  await playBudget(room, cast);
  await playSwitch(room, cast);
  if (room.specimen.kind === 'opencode') await playPluginBreakage(room, cast, resumeIn(room));
  else await playBreakage(room, cast);
  await playIdentity(room, cast);
  await room.scene('the record', async () => {
    const report = (await room.rollcall('gate', 'report', '--json')) as unknown as GateReportWords;
    await room.rollcall('verify', '--json');
    const stops = await room.stops();
    if (stops.length === 0) throw new NotReached('the ledger has no decision');
    const told = (verdict: string) => stops.filter((stop) => stop.verdict === verdict).length;
    expectAll('the report', report, { blocked: told('blocked'), wouldBlock: told('would-block') });
    const alone = report.stops - stops.length;
    if (alone < 0) throw new NotReached(`the report has ${report.stops} stops, the ledger ${stops.length}`);
    return `the ledger is whole, and the report agrees: ${latencyOf(stops)}: ${reasonsOf(stops)}; ${alone} stops by the hook alone`;
  });
}
