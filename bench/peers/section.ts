import { KNOWN, type PeerName } from './known.ts';
import type { Absent, PeerRow, PeersBench } from './peers.ts';

/** The table for a terminal and for the page. */
export function peerLines({ rows, absent }: PeersBench): string {
  const head = [
    ...['programs', 'who', 'CPU of one core', 'of the tmux server', 'RSS', 'of the tmux server'],
    ...['deaths', 'told after, median ms', '95 %', '99 %'],
  ];
  return [
    ...[head, head.map((_, column) => (column === 1 ? '---' : '---:')), ...rows.map(cells)].map(
      (line) => `| ${line.join(' | ')} |`,
    ),
    ...(absent.length > 0 ? ['', ...absent.map(sentence)] : []),
  ].join('\n');
}

function cells(row: PeerRow): string[] {
  const percent = (value: number | null) => (value === null ? '' : `${value.toFixed(value < 10 ? 2 : 0)} %`);
  const mib = (value: number | null) => (value === null ? '' : `${value.toFixed(value < 10 ? 1 : 0)} MiB`);
  const { death } = row;
  const times = death === null ? ['', 'never', '', ''] : [death.count, death.median, death.p95, death.p99];
  return [
    ...[`${row.size}`, row.name, percent(row.cpuPercent), percent(row.serverCpuPercent)],
    ...[mib(row.rssMib), mib(row.serverRssMib)],
    ...times.map((time) => (typeof time === 'number' ? time.toFixed(0) : time)),
  ];
}

function sentence({ name, size, why }: Absent): string {
  return `- ${name}${size === null ? '' : ` over ${size} programs`}: not measured (${why}).`;
}

/** The peers' part of the page. */
export function peersSection(peers: PeersBench): string {
  const jobs = (Object.keys(KNOWN) as PeerName[]).map((name) => {
    const { version, job } = KNOWN[name];
    return `- **${name}** (${version}): ${job}`;
  });
  const [row] = peers.rows;
  return `## Peers

Others who watch over long-running programs, brought for the run into a temporary folder and measured one after the other. Each has the
same number of programs that do nothing; CPU is measured over ${row?.seconds ?? 0} s once it has settled, with the processes that it starts to
look. Then programs are killed at random moments. They do not do the same job: what each does of it stands here, and the one
with less to do may well be the cheaper one.

${jobs.join('\n')}

${peerLines(peers)}`;
}
