import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { type Summary, summarize } from '../lib/stats.ts';
import { type Amounts, fillDatabase } from './fillDatabase.ts';
import { fillPostgres, postgresServer, runOnPostgres } from './fillPostgres.ts';

interface Answer {
  readonly ms: number;
  readonly rows: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const ask = (url: string, bearer: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const asked = request(url, { agent, headers: { authorization: `Bearer ${bearer}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const ms = performance.now() - startedAt;
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
        else resolve({ ms, rows: JSON.parse(text).items.length });
      });
    });
    asked.on('error', reject);
    asked.end();
  });

const lists: readonly { readonly title: string; readonly path: string }[] = [
  { title: 'users', path: '/v1/users?pageSize=50' },
  { title: 'audit log', path: '/v1/audit-logs?pageSize=50' },
  { title: 'audit log, one type', path: '/v1/audit-logs?pageSize=50&actionType=UserCreated' },
];

/** A filled database: its name, its address, and how to drop it. */
interface FilledDatabase {
  readonly title: string;
  readonly database: string;
  readonly drop: () => Promise<void>;
}

/** Starts a portal once to create its tables, and returns the tenant to fill. */
const seededTenant = async (database: string): Promise<PortalTenant> => {
  const portal = await createPortal({ database });
  await portal.close();
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  return tenant;
};

const filledFile = async (amounts: Amounts): Promise<FilledDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const database = join(folder, 'portal.db');
  fillDatabase(database, (await seededTenant(database)).tenantId, amounts);
  return { title: 'in a file', database, drop: async () => rmSync(folder, { recursive: true }) };
};

/** Undefined if Postgres is not available. */
const filledPostgres = async (amounts: Amounts): Promise<FilledDatabase | undefined> => {
  const schema = `vitrine_bench_${process.pid}`;
  const database = `${postgresServer}?schema=${schema}`;
  const isThere = await runOnPostgres(['select 1']).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  await fillPostgres(schema, (await seededTenant(database)).tenantId, amounts);
  return {
    title: 'on Postgres',
    database,
    drop: () => runOnPostgres([`drop schema ${schema} cascade`]),
  };
};

interface Depth {
  readonly title: string;
  readonly first: Summary;
  readonly deep: Summary;
}

const measureList = async (
  portal: Portal,
  { title, path }: (typeof lists)[number],
  { deepPage, rounds }: { readonly deepPage: number; readonly rounds: number },
): Promise<Depth> => {
  const apiKey = portal.tenants[0]?.apiKey ?? '';
  const first: number[] = [];
  const deep: number[] = [];
  for (let round = 0; round < rounds + 20; round += 1) {
    const one = await ask(`${portal.url}${path}&page=1`, apiKey);
    const other = await ask(`${portal.url}${path}&page=${deepPage}`, apiKey);
    if (one.rows !== 50 || other.rows !== 50) throw new Error(`${title}: a page was not full.`);
    if (round < 20) continue; // warms up the compiler and the database's cache
    first.push(one.ms);
    deep.push(other.ms);
  }
  return { title, first: summarize(first), deep: summarize(deep) };
};

/** Writes one record that is older than the newest, so that pages use the index of times. */
const setClockBack = async (portal: Portal): Promise<void> => {
  portal.clock.advance(-7 * 86_400_000);
  const answer = await fetch(`${portal.url}/v1/roles`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${portal.tenants[0]?.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Of last week', type: 'Report' }),
  });
  if (!answer.ok) throw new Error(`No record was written: ${answer.status}`);
};

/** The first and a deep page of long lists, interleaved: detects lists that read the rows they skip. */
export const measureDepth = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'pages')) return;
  const amounts = options.quick
    ? { users: 5000, auditRecords: 20_000 }
    : { users: 100_000, auditRecords: 1_000_000 };
  const deepPage = options.quick ? 30 : 1000;
  const rounds = options.quick ? 10 : 100;
  const rows: Depth[] = [];
  for (const fill of [filledFile, filledPostgres]) {
    const filled = await fill(amounts);
    if (filled === undefined) continue;
    try {
      const portal = await createPortal({ database: filled.database });
      const measure = async (list: (typeof lists)[number]) => {
        const depth = await measureList(portal, list, { deepPage, rounds });
        rows.push({ ...depth, title: `${depth.title}, ${filled.title}` });
      };
      for (const list of lists) await measure(list);
      await setClockBack(portal);
      await measure({ title: 'audit log after the clock went back', path: '/v1/audit-logs?pageSize=50' });
      await portal.close();
    } finally {
      await filled.drop();
    }
  }

  const show = ({ median, p90 }: Summary) => `${median.toFixed(2)} (${p90.toFixed(2)})`;
  const ratio = ({ first, deep }: Depth) => deep.median / first.median;
  results.table({
    title: `Deep pages, ${amounts.users} users and ${amounts.auditRecords} audit records: ms, median (p90) of ${rounds}`,
    columns: columns('list', 'page 1', `page ${deepPage}`, 'deep ÷ first'),
    rows: rows.map((row) => [row.title, show(row.first), show(row.deep), ratio(row).toFixed(2)]),
    notes: ['Pages of 50 rows, one request at a time over one connection.'],
  });
  results.goals(
    rows.map((row) => ({
      text: `${row.title}: page ${deepPage} ÷ page 1`,
      limit: 2,
      sense: 'at most' as const,
      seen: ratio(row),
    })),
  );
};
