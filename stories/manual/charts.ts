import mount from '../../bench/results/mount.json' with { type: 'json' };
import size from '../../bench/results/size.json' with { type: 'json' };

interface Source {
  /** The `--json` output of a benchmark. */
  readonly run: typeof size | typeof mount;
  /** Prefix of its table's title. */
  readonly table: string;
  /** Title of the column with the figures. */
  readonly column: string;
  readonly caption: string;
  readonly unit: string;
  /** Display names, in place of the benchmark's own. */
  readonly names?: Readonly<Record<string, string>>;
}

const sources: Readonly<Record<string, Source>> = {
  size: {
    run: size,
    table: 'Bytes',
    column: 'gzip -9',
    caption: 'JavaScript that one report needs, after gzip',
    unit: 'bytes',
  },
  mount: {
    run: mount,
    table: 'Mount',
    column: '+50 ms',
    caption: 'From mount to the request of the frame, where every response takes 50 ms',
    unit: 'ms',
    names: {
      'hand-made fetch + iframe': 'fetch + iframe by hand',
      'ours, plain': 'Vitrine',
      'ours, key prefetched': 'Vitrine, key prefetched',
      'ours, key hydrated': 'Vitrine, key hydrated',
    },
  },
};

interface Bar {
  readonly name: string;
  /** Whether it is a figure of Vitrine. */
  readonly isOurs: boolean;
  readonly value: number;
}

/** Figures of one run of a benchmark, smallest first. */
export interface Chart extends Pick<Source, 'caption' | 'unit'> {
  /** The day of the run, `2026-11-23`. */
  readonly date: string;
  readonly bars: readonly Bar[];
}

/** The chart of a directive `<!-- chart: size -->`. */
export const chartOf = (chart: string): Chart => {
  const source = sources[chart];
  const table = source?.run.tables.find(({ title }) => title.startsWith(source.table));
  const column = table?.columns.findIndex(({ title }) => title === source?.column) ?? -1;
  if (source === undefined || table === undefined || column < 0)
    throw new Error(`There is no chart "${chart}", or its benchmark has no such figures.`);
  const bars = table.rows.map((row) => {
    const own = String(row[0]);
    const name = source.names?.[own] ?? own;
    // A median may be followed by another figure in brackets.
    const value = Number.parseFloat(String(row[column]));
    return { name, isOurs: /vitrine/i.test(name), value };
  });
  return {
    caption: source.caption,
    unit: source.unit,
    date: source.run.machine.date.slice(0, 10),
    bars: bars.toSorted((one, other) => one.value - other.value),
  };
};
