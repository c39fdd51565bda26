import { type LineChart, lineChart, type Series } from './chart/line-chart.ts';
import { type Range, rangeChart } from './chart/range-chart.ts';
import type { CrowdKind } from './crowd.ts';
import type { DaemonBench } from './daemon.ts';
import type { AllFigures, PartName } from './figures.ts';
import type { GuardBench } from './guard.ts';
import type { Figures } from './measure.ts';
import { KNOWN, type PeerName } from './peers/known.ts';
import type { PeerRow } from './peers/peers.ts';
import { CROWDS, type LooksBench } from './report.ts';

/** A drawing on the page, beside the figures of its part. */
export interface Curve {
  readonly part: PartName;
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

const MS = { label: 'ms, median', isLog: true };
const CPU = { label: '% of one core', isLog: true };

/** Every curve that the figures are enough for. */
export function curves({ looks, guard, daemon, peers }: AllFigures): Curve[] {
  return [
    ...(looks ? [looksCurve(looks.figures)] : []),
    ...(guard || daemon ? [deathCurve(guard?.figures, daemon?.figures)] : []),
    ...(daemon ? [daemonCurve(daemon.figures)] : []),
    ...(peers ? peerCurves(peers.figures.rows) : []),
  ];
}

function lines(part: PartName, name: string, chart: LineChart): Curve {
  return { part, name, title: chart.title, svg: lineChart(chart) };
}

function looksCurve({ rows }: LooksBench): Curve {
  const of = (name: string, key: 'floor' | 'tick' | 'json' | 'carried' | 'forking'): Series => ({
    name,
    points: rows.map((row) => [row.size, row[key]]),
  });
  return lines('looks', 'looks', {
    ...{ title: 'One look at all sessions', x: 'sessions', y: MS, unit: 'ms' },
    series: [
      of('tick', 'tick'),
      of('fork per session', 'forking'),
      of('with a daemon', 'carried'),
      of('rollcall --json', 'json'),
      of('floor', 'floor'),
    ],
  });
}

function daemonCurve({ rows }: DaemonBench): Curve {
  const rates = [...new Set(rows.flatMap(({ pollers }) => pollers.map(({ perSecond }) => perSecond)))];
  const poller = (rate: number): Series => ({
    name: `every pane, ${rate} × a second`,
    points: rows.flatMap(({ size, pollers }) =>
      pollers
        .filter(({ perSecond }) => perSecond === rate)
        .map((one) => [size, one.cpuPercent + one.serverCpuPercent] as const),
    ),
  });
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const daemonOver = (kind: CrowdKind): Series => ({
    name: `rollcall, ${CROWDS[kind]}`,
    points: rows
      .filter((row) => row.kind === kind)
      .map((row) => [row.size, row.cpuPercent + row.serverCpuPercent]),
  });
  return lines('daemon', 'daemon-cpu', {
    ...{ title: 'CPU at rest, with what it costs the tmux server', x: 'sessions', y: CPU, unit: '%' },
    series: [...kinds.map(daemonOver), ...rates.map(poller)],
  });
}

function deathCurve(guard?: GuardBench, daemon?: DaemonBench): Curve {
  const title = 'From a death to the moment it is told';
  const range = (name: string, { median, p95, p99 }: Figures, colour: number): Range => ({
    ...{ name, median, p95, p99, colour },
  });
  const ranges = [
    ...(daemon?.latencies ?? []).map(({ size, death }) =>
      range(`daemon, ${size} sessions, no hooks`, death, 0),
    ),
    ...(guard?.rows ?? []).map(({ kind, guardMs }) => range(`guard, ${kind}`, guardMs, 0)),
    ...(guard?.rows ?? []).map(({ kind, pollingMs }) => range(`five polls, ${kind}`, pollingMs, 1)),
  ];
  return {
    ...{ part: daemon ? 'daemon' : 'guard', name: 'deaths', title },
    svg: rangeChart({ title, unit: 'ms', ranges }),
  };
}

function peerCurves(rows: readonly PeerRow[]): Curve[] {
  const names = Object.keys(KNOWN) as PeerName[];
  const series = (value: (row: PeerRow) => number): Series[] =>
    names.map((name) => ({
      name,
      points: rows.filter((row) => row.name === name).map((row) => [row.size, value(row)]),
    }));
  const most = Math.max(...rows.map(({ size }) => size));
  const title = `Peers: from a death to the moment it is told, ${most} programs`;
  const ranges = rows.flatMap(({ name, size, death }) =>
    death === null || size !== most ? [] : [{ name, ...death, colour: names.indexOf(name) }],
  );
  const x = 'programs';
  return [
    lines('peers', 'peers-cpu', {
      ...{ title: 'Peers: CPU at rest, with what it costs the tmux server', x, y: CPU, unit: '%' },
      series: series((row) => row.cpuPercent + (row.serverCpuPercent ?? 0)),
    }),
    lines('peers', 'peers-memory', {
      ...{ title: 'Peers: memory (RSS) of the supervisor', x, y: { label: 'MiB', isLog: true }, unit: 'MiB' },
      series: series((row) => row.rssMib),
    }),
    { part: 'peers', name: 'peers-deaths', title, svg: rangeChart({ title, unit: 'ms', ranges }) },
  ];
}
