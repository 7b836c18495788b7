import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTenant } from '../portal/onTenant.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { sharedRegistry } from './harness/versions.ts';

const readme = readFileSync('README.md', 'utf8');
const blocks = codeBlocks('README.md');
/** What the README's example and the pages of the packages import, by folder name under `src/`. */
const packed = ['react', 'express', 'server', 'portal-client', 'contract', 'portal', 'conformance', 'cli'];
const packagePages = [
  'components/embedded-report',
  'components/testing',
  'guides/development',
  'guides/portal-client',
  'guides/react',
].map((page) => `docs/${page}.md`);
const packageBlocks = [...globSync('src/*/README.md'), ...packagePages].flatMap(codeBlocks);

/** The first action of a stream, as a page receives it. */
const firstAction = async (stream: Response): Promise<unknown> => {
  let text = '';
  for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const [, data] = /^data: ?(\{.*"reportId".*\})\n/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error('The stream ended before an action came.');
};

describe("the README's commands", () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const pages = readme + readFileSync('CONTRIBUTING.md', 'utf8');
  const named = new Set(
    [...pages.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(([, name]) => name),
  );

  it('are scripts of the project', () => {
    expect([...named]).toEqual(expect.arrayContaining(['start', 'test', 'registry']));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...named]));
  });

  it('npm test runs every static check and the tests; npm run verify adds the slow tests', () => {
    expect(scripts.test).toBe('node scripts/verify.ts');
    expect(scripts.verify).toBe('npm test -- --all');
  });

  it.skipIf(process.env['VITRINE_COUNTS'] === undefined)('npm test runs this test', () => {
    // Only verify.ts counts checks and tests together.
    expect(process.env['VITRINE_COUNTS']).toMatch(/vitrine-verify-\w+\/counts\.json$/);
  });
});

describe('the README', () => {
  const words = (markdown: string): string[] =>
    markdown
      .replaceAll(/^```.*?^```$|<[^>]+>|\]\([^)]+\)/gms, ' ')
      .split(/\s+/)
      .filter((word) => /\w/.test(word));

  it('fits on a screen or two: at most 450 words outside code, and 20 links', () => {
    expect(words(readme).length).toBeLessThanOrEqual(450);
    expect(readme.match(/\]\(/g)?.length).toBeLessThanOrEqual(20);
    expect(words('<b>One</b> [two](three) | `four` |\n```sh\nfive\n```\n')).toHaveLength(3); // control
  });

  it('says in its first lines which portal, for whom, and for whom not', () => {
    const start = readme.split('</h1>')[1]?.trim().split('\n').slice(0, 6).join('\n');
    for (const part of ['inside your React app', 'Which portal', 'Not Power BI', '**For**', '**Not for**'])
      expect(start).toContain(part);
  });

  it('shows pictures that exist', () => {
    const files = [...readme.matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\((?!https:)([^)]+)\)/g)].map(
      ([, source, image]) => source ?? image ?? '',
    );
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe("the README's example", () => {
  let portal: Portal;
  let consumer: Consumer;
  beforeAll(async () => {
    portal = await createPortal();
    consumer = await createConsumer({
      app: 'readme',
      signIn: 'yourSignIn.ts',
      packages: packed,
      registry: sharedRegistry,
      tools: ['happy-dom', 'typescript', 'vite', 'vitest'],
    });
    // Files under app/ form a Next.js app, which nextApp.long.test.ts builds.
    for (const { file, code } of [...blocks, ...packageBlocks])
      if (file !== undefined && !file.startsWith('app/')) writeFileSync(join(consumer.folder, file), code);
  });
  afterAll(async () => {
    await Promise.all([portal?.close(), consumer?.remove()]);
  });

  it('has at most ten lines of code on each side', () => {
    const examples = blocks.filter(({ file }) => file !== undefined);
    expect(examples.map(({ file }) => file)).toEqual(['server.ts', 'main.tsx']);
    for (const { code } of examples) {
      const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
      expect(lines.length).toBeLessThanOrEqual(10);
    }
  });

  it('type-checks, like the examples of the packages', async () => {
    await expect(consumer.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('has passing tests next to it in the packages', async () => {
    const inPage = await consumer.bin('vitest', 'run', 'SalesPage', '--environment', 'happy-dom');
    expect(inPage).toMatch(/Tests[^\n]*2 passed/);
    expect(await consumer.bin('vitest', 'run', 'keys')).toMatch(/Tests[^\n]*2 passed/);
  });

  it('names commands and options that exist', async () => {
    const commands = [...readme.matchAll(/`npx vitrine ([a-z]+)([^`]*)`/g)];
    expect(commands.map(([, name]) => name)).toEqual(['init', 'conformance', 'portal', 'doctor']);
    for (const [, name = '', rest = ''] of commands) {
      const help = await consumer.bin('vitrine', name, '--help');
      expect(help).toContain(`Usage: vitrine ${name}`);
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(help).toContain(option);
    }
  });

  it('has working commands next to it in the packages', async () => {
    const commands = packageBlocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.trim().split('\n'));
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const [, name = '', ...args] = command.split(' ');
      expect(await consumer.bin(name, ...args)).toContain('Usage: vitrine');
    }
  });

  it('shows the report of the running portal when pasted', async () => {
    await consumer.bin('vite', 'build', '--logLevel', 'warn');
    // The example listens on $PORT; a page also needs the built files, which Vite's preview serves.
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const url = await consumer.serve('node serve.ts', { ...portalEnv(tenant), BACKEND: './server.ts' });
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(url);
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
    await browser.close();
  });

  it('delivers a click in the report to the viewer who clicked, with the actions of @vitrine/express', async () => {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const backend = await consumer.serve('node serve.ts', {
      ...portalEnv(tenant),
      VITRINE_WEBHOOK_SECRET: tenant.webhookSecret,
      VITRINE_BASE_URL: tenant.baseUrl,
      BACKEND: './withActions.ts',
    });
    await portal.setActionTarget(tenant.tenancyName, `${backend}/api/embed/webhook`);
    const headers = { cookie: 'user=north', 'x-vitrine-request': '1', 'content-type': 'application/json' };
    const stream = await fetch(`${backend}/api/embed/actions`, { headers });
    expect(stream.status).toBe(200);

    const asked = await fetch(`${backend}/api/embed/keys`, {
      method: 'POST',
      headers,
      body: '{"itemId":1042}',
    });
    const { key, tenantUrl } = (await asked.json()) as { key: string; tenantUrl: string };
    // The request of the report page when a bar is clicked.
    const clicked = await askTenant(tenantUrl, '/report/1042/actions', {
      method: 'POST',
      headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        visual: 'revenue-by-region',
        columns: ['Region'],
        points: [['North']],
        filters: [],
      }),
    });
    expect(clicked.status).toBe(202);

    expect(await firstAction(stream)).toMatchObject({
      itemId: 1042,
      message: '1 regions are open in the CRM.',
      rows: [
        {
          identity: [{ table: 'Sales', column: 'Region', value: 'North' }],
          values: [{ table: 'Sales', column: 'Revenue', aggregation: 'Sum', value: expect.any(Number) }],
        },
      ],
    });
  });
});
