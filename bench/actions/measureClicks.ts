import { join } from 'node:path';
import { type BenchResults, columns, type Goal } from '../lib/benchResults.ts';
import type { BenchOptions } from '../lib/options.ts';
import { cores, startWorker } from '../lib/pinned.ts';
import { median, quantile } from '../lib/stats.ts';
import type { ClicksOrder, ClicksResult } from './clicksProcess.ts';
import type { DesignName } from './designs.ts';

/** Figures of one round, in table order. */
type Round = readonly number[];

const perSecond = 50;
const burst = 1000;

const measureDesign = async (name: DesignName, options: BenchOptions): Promise<readonly Round[]> => {
  const script = (file: string) => join(import.meta.dirname, file);
  const server = startWorker({ core: cores.server, script: script('serverProcess.ts') });
  const clicks = startWorker({ core: cores.load, script: script('clicksProcess.ts') });
  try {
    const url = await server.ask<string>({ kind: 'listen', name });
    const run = async (seconds: number, rate = perSecond): Promise<ClicksResult> => {
      const order: ClicksOrder = { url, perSecond: rate, seconds };
      const result = await clicks.ask<ClicksResult>(order);
      const { failures, shownMs, acknowledgedMs } = result;
      if (failures > 0 || shownMs.length < acknowledgedMs.length)
        throw new Error(`${name}: ${failures} failed, ${shownMs.length} of ${acknowledgedMs.length} shown.`);
      return result;
    };
    // Also creates the tables.
    await run(1);
    await server.ask({ kind: 'fill', rows: options.quick ? 20_000 : 500_000 });
    const rounds: Round[] = [];
    for (let round = 0; round < (options.rounds ?? (options.quick ? 1 : 5)); round += 1) {
      const { acknowledgedMs, shownMs, healthMs } = await run(options.quick ? 2 : 10);
      // All within a hundredth of a second.
      const all = await run(0.01, burst * 100);
      const quantiles = [acknowledgedMs, shownMs].flatMap((all) => [quantile(all, 0.5), quantile(all, 0.99)]);
      rounds.push([...quantiles, Math.max(...healthMs), Math.max(...all.acknowledgedMs)]);
    }
    return rounds;
  } finally {
    await server.ask({ kind: 'end' });
    await Promise.all([server.stop(), clicks.stop()]);
  }
};

/** Clicks at a steady rate and in a burst, with 500,000 handled ones stored and `health()` called every second. */
export const measureClicks = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  const rows: (string | number)[][] = [];
  const goals: Goal[] = [];
  for (const name of ['SQLite', 'Postgres'] as const) {
    const rounds = await measureDesign(name, options);
    const columnsOf = (summary: (values: readonly number[]) => number): number[] =>
      [0, 1, 2, 3, 4, 5].map((at) => summary(rounds.map((round) => round[at] ?? Number.NaN)));
    const medians = columnsOf(median);
    rows.push([`${name}: median of ${rounds.length} rounds`, ...medians]);
    rows.push([`${name}: least`, ...columnsOf((values) => Math.min(...values))]);
    const goal = (text: string, limit: number, seen: number | undefined): Goal => ({
      text: `${name}: ${text}`,
      limit,
      sense: 'at most',
      seen,
      unit: 'ms',
    });
    goals.push(
      goal(`acknowledgment at ${perSecond}/s, 500,000 rows stored, p99`, 30, medians[1]),
      goal(`a burst of ${burst}, all acknowledged and shown`, 2000, medians[5]),
      goal('click → stream client, p50', 50, medians[2]),
      goal('click → stream client, p99', 250, medians[3]),
    );
  }
  results.table({
    title: `${perSecond} clicks a second, ${options.quick ? '20,000' : '500,000'} handled ones stored, health() every second`,
    columns: columns(
      'design',
      '202 p50 ms',
      '202 p99 ms',
      'shown p50 ms',
      'shown p99 ms',
      'health() slowest ms',
      `${burst} at once: last 202 ms`,
    ),
    rows,
    notes: [
      'From the moment when a click is due. Shown: its event has arrived at a Node client of the stream, after store and handler.',
    ],
  });
  results.goals(goals);
};
