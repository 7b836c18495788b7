import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { testPostgres } from './databases.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (name: string) => readFile(at(`examples/deploy/${name}`), 'utf8');

/** The words of an instruction in exec form. */
const wordsOf = (dockerfile: string, instruction: string): string[] => {
  const [, json = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? [];
  return JSON.parse(json);
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Runs the command of a container with the command line of this repository. */
const run = async (words: readonly string[], port: number): Promise<void> => {
  const child = spawn(
    process.execPath,
    ['--conditions=@vitrine/source', at('src/cli/lib/bin.ts'), ...words],
    { stdio: 'ignore' },
  );
  // Its database is removed after it.
  onTestFinished(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/_control/clock`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200);
};

const postgres = await testPostgres('deploy');

describe('the Dockerfile of the portal', () => {
  it('starts a portal with its own command', async () => {
    const dockerfile = await read('Dockerfile');
    const [program, script] = wordsOf(dockerfile, 'ENTRYPOINT');
    expect([program, script]).toEqual(['node', 'node_modules/vitrine/dist/bin.js']);
    const port = await freePort();
    const data = await mkdtemp(join(tmpdir(), 'vitrine-deploy-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const words = wordsOf(dockerfile, 'CMD').map((word) =>
      word.replaceAll('4460', String(port)).replace('/data', data),
    );
    expect(words).toContain(join(data, 'portal.db'));
    await run(words, port);
    const { items } = (await (await fetch(`http://127.0.0.1:${port}/_control/tenants`)).json()) as {
      items: { tenantUrl: string; baseUrl: string }[];
    };
    expect(items[0]).toMatchObject({
      tenantUrl: `http://acme.localhost:${port}`,
      baseUrl: `http://localhost:${port}`,
    });
    // The HEALTHCHECK command uses the port that the portal listens on.
    expect(dockerfile).toContain("fetch('http://127.0.0.1:4460/_control/clock')");
  });
});

describe('the compose file of the portal', () => {
  it('is valid by the schema of the Compose Specification (control: which finds a mistake)', async () => {
    const compose = parse(await read('compose.yaml'));
    const schema = JSON.parse(await readFile(at('test/portal/deploy/compose-spec.json'), 'utf8'));
    // Its spelling of draft 7 of JSON Schema, with https and without "#", is not known.
    const check = z.fromJSONSchema({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
    expect(check.safeParse(compose).error).toBeUndefined();
    const broken = { ...compose, services: { portal: { ...compose.services.portal, port: 1 } } };
    expect(check.safeParse(broken).success).toBe(false);
  });

  it('configures the database that it starts, and exposes the portal only to this machine', async () => {
    const { services } = parse(await read('compose.yaml'));
    const database = services.portal.command
      .find((word: string) => word.startsWith('--database='))
      .replace('--database=', '');
    const { username, password, hostname, pathname } = new URL(database);
    expect(services.postgres.environment).toEqual({
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: pathname.slice(1),
    });
    expect(Object.keys(services)).toContain(hostname);
    expect(services.portal.ports).toEqual(['127.0.0.1:4460:4460']);
  });

  if (postgres !== undefined)
    it('starts a portal on Postgres with its own command', async () => {
      onTestFinished(postgres.drop);
      const { services } = parse(await read('compose.yaml'));
      const port = await freePort();
      const words = ['portal', ...services.portal.command.slice(1)].map((word: string) =>
        word.startsWith('--database=')
          ? `--database=${postgres.address}`
          : word.replaceAll('4460', String(port)),
      );
      await run(words, port);
      expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200);
    });
});
