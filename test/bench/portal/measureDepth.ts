import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortal } from '@vitrine/portal';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { columns, type Report } from '../lib/report.ts';
import { type Summary, summarise } from '../lib/stats.ts';
import { fillDatabase } from './fillDatabase.ts';

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

const lists = [
  { title: 'users', path: '/v1/users?pageSize=50' },
  { title: 'audit log', path: '/v1/audit-logs?pageSize=50' },
  { title: 'audit log, one type', path: '/v1/audit-logs?pageSize=50&actionType=UserCreated' },
] as const;

/** The first and a deep page of long lists, in turns: a list that reads what it skips shows it here. */
export const measureDepth = async (options: BenchOptions, report: Report): Promise<void> => {
  if (!isWanted(options, 'pages')) return;
  const amounts = options.quick
    ? { users: 5000, auditRecords: 20_000 }
    : { users: 100_000, auditRecords: 1_000_000 };
  const deepPage = options.quick ? 30 : 1000;
  const rounds = options.quick ? 10 : 200;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const database = join(folder, 'portal.db');
  try {
    const seeded = await createPortal({ database });
    const [tenant] = seeded.tenants;
    if (tenant === undefined) throw new Error('The portal has no tenant.');
    await seeded.close();
    fillDatabase(database, tenant.tenantId, amounts);

    const portal = await createPortal({ database });
    const rows: { title: string; first: Summary; deep: Summary }[] = [];
    for (const { title, path } of lists) {
      const first: number[] = [];
      const deep: number[] = [];
      for (let round = 0; round < rounds + 20; round += 1) {
        const one = await ask(`${portal.url}${path}&page=1`, tenant.apiKey);
        const other = await ask(`${portal.url}${path}&page=${deepPage}`, tenant.apiKey);
        if (one.rows !== 50 || other.rows !== 50) throw new Error(`${title}: a page was not full.`);
        if (round < 20) continue; // warms the compiler and the database's cache
        first.push(one.ms);
        deep.push(other.ms);
      }
      rows.push({ title, first: summarise(first), deep: summarise(deep) });
    }
    await portal.close();

    const show = ({ median, p90 }: Summary) => `${median.toFixed(2)} (${p90.toFixed(2)})`;
    const ratio = ({ first, deep }: (typeof rows)[number]) => deep.median / first.median;
    report.table({
      title: `Deep pages, ${amounts.users} users and ${amounts.auditRecords} audit records in a file: ms, median (p90) of ${rounds}`,
      columns: columns('list', 'page 1', `page ${deepPage}`, 'deep ÷ first'),
      rows: rows.map((row) => [row.title, show(row.first), show(row.deep), ratio(row).toFixed(2)]),
      notes: ['Pages of 50 rows, one request at a time over one connection.'],
    });
    report.goals(
      rows.map((row) => ({
        text: `${row.title}: page ${deepPage} ÷ page 1`,
        limit: 2,
        sense: 'at most' as const,
        seen: ratio(row),
      })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
