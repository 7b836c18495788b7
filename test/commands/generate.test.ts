import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient, type Item } from '@vitrine/portal-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nameReports, reportsModule } from '../../src/cli/lib/commands/generate/reportsModule.ts';
import { type CommandRun, runCommand, temporaryFolder } from './support/runCommand.ts';

let portal: Portal;
let tenant: PortalTenant;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
});

const vitrine = (line: string, run: CommandRun = {}) =>
  runCommand(line, {
    ...run,
    env: { VITRINE_BASE_URL: tenant.baseUrl, VITRINE_API_KEY: tenant.apiKey, ...run.env },
  });

const addItem = async (displayName: string) => {
  await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
  const guid = (last: number) => `7d1c5d0e-3b0f-4c38-9d0c-2f6f4ad0a00${last}`;
  await client.items.create({
    type: 'report',
    workspaceId: guid(1),
    reportId: guid(2),
    displayName,
    roles: [],
  });
};

describe('vitrine generate', () => {
  it('reads the variables of a file with --env, and lists the variables in the file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, '.env'),
      `VITRINE_BASE_URL=${tenant.baseUrl}\nVITRINE_API_KEY=${tenant.apiKey}\n`,
    );
    const without = await runCommand('generate', { cwd });
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Add --env .env') });
    expect(await runCommand('generate --env .env', { cwd })).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(cwd, 'src/reports.ts'))).toBe(true);
  });

  it('suggests what to do when the file cannot be written', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, `src/reports.ts.${process.pid}.tmp`), { recursive: true });
    const { exitCode, stderr } = await vitrine('generate', { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Choose another file: vitrine generate <file>.');
  });

  it.skipIf(process.platform !== 'linux')('leaves no temporary file on a full disk', async () => {
    const cwd = temporaryFolder();
    symlinkSync('/dev/full', join(cwd, `reports.ts.${process.pid}.tmp`));
    const { exitCode, stderr } = await vitrine('generate reports.ts', { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the disk is full. Free some space')]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('writes a module that makes an unknown report a compile error', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await vitrine('generate', { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('Wrote src/reports.ts'),
    });
    expect(readFileSync(join(cwd, 'src/reports.ts'), 'utf8')).toContain('  salesByRegion: 1042,\n');
    writeFileSync(
      join(cwd, 'src/app.ts'),
      `import { type ReportId, type ReportName, reports } from './reports.ts';
const open = (itemId: ReportId): number => itemId;
open(reports.salesByRegion);
open(1042);
// @ts-expect-error: there is no such report
open(reports.salesByCountry);
// @ts-expect-error: there is no report of this number
open(9999);
export const name: ReportName = 'salesByRegion';
`,
    );
    const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext'];
    const tsc = spawnSync(resolve('node_modules/.bin/tsc'), [...flags, '--types', '', 'src/app.ts'], {
      cwd,
      encoding: 'utf8',
    });
    expect(tsc).toMatchObject({ status: 0, stdout: '' });
  });

  it('checks in CI: exits with 2 when the file is missing or outdated, with 0 when it is up to date', async () => {
    const cwd = temporaryFolder();
    expect(await vitrine('generate --check', { cwd })).toMatchObject({
      exitCode: 2,
      stdout: 'src/reports.ts is not up to date. Run vitrine generate and commit the file.\n',
    });
    expect(existsSync(join(cwd, 'src'))).toBe(false);
    await vitrine('generate', { cwd });
    const file = join(cwd, 'src/reports.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
    expect(await vitrine('generate --check', { cwd })).toMatchObject({ exitCode: 0, stdout: '' });
    await addItem('Stock');
    expect((await vitrine('generate --check', { cwd })).exitCode).toBe(2);
  });

  it('never overwrites a file that it did not write', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'src/reports.ts'), 'export const mine = 1;\n');
    const { exitCode, stderr } = await vitrine('generate', { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('src/reports.ts was not written by vitrine generate, so it was not changed.');
    expect(readFileSync(join(cwd, 'src/reports.ts'), 'utf8')).toBe('export const mine = 1;\n');
    expect((await vitrine('generate reports.json', { cwd })).stderr).toContain(
      'Choose one that ends in .ts.',
    );
  });
});

const itemNamed = (id: number, displayName: string): Item => ({
  id,
  guid: undefined,
  type: 'report',
  workspaceId: '',
  reportId: '',
  displayName,
});

describe('report names', () => {
  const named = (...titles: string[]) =>
    nameReports(titles.map((displayName, index) => itemNamed(index + 1, displayName))).map(
      ({ name }) => name,
    );

  it.each([
    ['Sales by region', 'salesByRegion'],
    ['  Order-book (EU) ', 'orderBookEU'],
    ['KPI overview', 'kpiOverview'],
    ['2026 budget', 'report2026Budget'],
    ['Umsatz für Größe', 'umsatzFürGröße'],
    ['売上 地域', '売上地域'],
    ['***', 'report1'],
    ['', 'report1'],
    ['__proto__', 'proto'],
    ['new', 'new'],
  ])('%j becomes %s', (title, name) => {
    expect(named(title)).toEqual([name]);
  });

  it('get a number when two items share them, so that neither changes when the other is removed', () => {
    expect(named('Sales', 'Stock', 'sales')).toEqual(['sales_1', 'sales_3', 'stock']);
  });

  it('cannot end the comment that contains them', () => {
    const text = reportsModule(nameReports([itemNamed(1, 'a */ evil() /*\n b')]));
    expect(text).toContain('  /** a * / evil() /*  b */\n  aEvilB: 1,');
  });
});
