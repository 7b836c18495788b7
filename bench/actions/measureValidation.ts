import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { columns, type Report } from '../lib/report.ts';
import { median } from '../lib/stats.ts';
import { sampleBody } from './sampleBody.ts';

const parse = join(import.meta.dirname, '../../src/server/dist/actions/parse');

const microsOf = (work: () => unknown, times: number): number => {
  const start = performance.now();
  for (let n = 0; n < times; n += 1) work();
  return ((performance.now() - start) * 1000) / times;
};

/** What looking inside an event costs, beside reading its JSON. It happens after the acknowledgement. */
export const measureValidation = async (options: BenchOptions, report: Report): Promise<void> => {
  if (!isWanted(options, 'validation')) return;
  const { findParts } = await import(pathToFileURL(join(parse, 'findParts.js')).href);
  const { checkVisuals } = await import(pathToFileURL(join(parse, 'checkVisuals.js')).href);
  const { flattenRow } = await import(pathToFileURL(join(parse, 'flattenRows.js')).href);
  const rounds = options.quick ? 3 : 15;
  const rows = [1, 100, 10_000].map((count) => {
    const text = sampleBody(count, 'Sales by region');
    const body: unknown = JSON.parse(text);
    const times = Math.max(1, Math.round((options.quick ? 2e4 : 1e5) / count));
    const check = () => checkVisuals(findParts(body).visuals);
    if (check() !== true) throw new Error('The sample does not pass its own check.');
    const flatten = () => findParts(body).visuals[0].data.map(flattenRow);
    const series = Array.from({ length: rounds }, () => ({
      json: microsOf(() => JSON.parse(text), times),
      check: microsOf(check, times),
      flatten: microsOf(flatten, times),
    })).slice(1);
    const of = (field: 'json' | 'check' | 'flatten') => median(series.map((round) => round[field]));
    return { count, json: of('json'), check: of('check'), flatten: of('flatten') };
  });
  report.table({
    title: `Looking inside an event, ${rounds - 1} rounds`,
    columns: columns('rows', 'JSON.parse µs', 'check µs', '× JSON.parse', 'flatten µs', '× JSON.parse'),
    rows: rows.map(({ count, json, check, flatten }) => [
      String(count),
      json,
      check,
      check / json,
      flatten,
      flatten / json,
    ]),
  });
  report.goals(
    rows.map(({ count, json, check }) => ({
      text: `check of ${count} rows ÷ JSON.parse`,
      limit: 0.1,
      sense: 'at most',
      seen: check / json,
    })),
  );
};
