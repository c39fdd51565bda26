/** Names and values of labels, in a fixed order. */
export type Labels = Readonly<Record<string, string>>;

/** One number, with its labels. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** Behind the name: `_sum`, `_count`, `_bucket` of a histogram. */
  readonly suffix?: string;
}

/** One measure as it is shown. */
export interface Family {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  samples(): Iterable<Sample>;
}

/** More than this of one measure says that something in its labels is not bounded; further ones are counted together. */
const MOST_SERIES = 200;

/** Counts, by labels. */
export interface Counter extends Family {
  add(labels?: Labels, by?: number): void;
}

export function counter(name: string, help: string): Counter {
  const series = new Map<string, { readonly labels: Labels; value: number }>();
  return {
    ...{ name, help, kind: 'counter' },
    add(labels = {}, by = 1) {
      const wanted = written(labels);
      const isNew = !series.has(wanted) && series.size >= MOST_SERIES;
      const shown = isNew ? others(labels) : labels;
      const key = isNew ? written(shown) : wanted;
      const one = series.get(key);
      if (one === undefined) series.set(key, { labels: shown, value: by });
      else one.value += by;
    },
    samples: () => series.values(),
  };
}

/** What somebody else keeps: one number, or several with their labels. */
export type ShownNow = () => number | Iterable<Sample>;

/** Shows what is so at the moment somebody asks. */
export function gauge(name: string, help: string, shown: ShownNow): Family {
  return { name, help, kind: 'gauge', samples: () => samplesOf(shown()) };
}

/** Shows a count that somebody else keeps. */
export function counted(name: string, help: string, shown: ShownNow): Family {
  return { name, help, kind: 'counter', samples: () => samplesOf(shown()) };
}

function samplesOf(shown: ReturnType<ShownNow>): Iterable<Sample> {
  return typeof shown === 'number' ? [{ value: shown }] : shown;
}

/** How often something took at most so long, for each bound. */
export interface Histogram extends Family {
  observe(value: number): void;
}

export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    ...{ name, help, kind: 'histogram' },
    observe(value) {
      sum += value;
      count += 1;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) counts[index] = (counts[index] ?? 0) + 1;
    },
    *samples() {
      for (const [index, bound] of bounds.entries()) {
        yield { suffix: '_bucket', labels: { le: String(bound) }, value: counts[index] ?? 0 };
      }
      yield { suffix: '_bucket', labels: { le: '+Inf' }, value: count };
      yield { suffix: '_sum', value: sum };
      yield { suffix: '_count', value: count };
    },
  };
}

/** The text format of Prometheus, version 0.0.4. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join('');
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

function familyText({ name, kind, help, samples }: Family): string {
  const lines = [
    `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    `# TYPE ${name} ${kind}`,
  ];
  for (const { suffix = '', labels = {}, value } of samples()) {
    lines.push(`${name}${suffix}${written(labels)} ${numberText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function others(labels: Labels): Labels {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']));
}
