import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { problemCodes } from '@vitrine/contract';
import { isPortalError } from '@vitrine/portal-client';
import { createFetchHandler, frameSources, VitrineOptionsError } from '@vitrine/server';
import helmet from 'helmet';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { describe, expect, it, vi } from 'vitest';
import { codeBlocks } from '../packages/harness/codeBlocks.ts';

const file = 'src/server/README.md';
const guide = 'docs/guides/key-endpoint.md';
const policyGuide = 'docs/guides/content-security-policy.md';
const page = readFileSync(guide, 'utf8');
const pages = readFileSync(file, 'utf8') + page + readFileSync('docs/errors.md', 'utf8');

const portal = {
  tenantUrl: 'https://acme.portal.example',
  apiBaseUrl: 'https://api.portal.example',
  tenantId: 101,
  tenancyName: 'acme',
  apiKey: 'api-key-Zq83nVb2Lw0x',
  passPhrase: 'pass phrase Km47',
};
const good = { portal, viewer: () => null, canView: () => false, logger: false } as const;

/** The names that a message lists for one that does not exist. */
const namesIn = (options: object, list: RegExp): string[] => {
  try {
    createFetchHandler({ ...good, ...options });
  } catch (error) {
    if (error instanceof VitrineOptionsError || isPortalError(error))
      return list.exec(error.message)?.[1]?.split(/, | and /) ?? [];
  }
  throw new Error('No message listed the names.');
};

describe('the README of @vitrine/server, and the guide to the key endpoint', () => {
  it('has a row for every option', () => {
    const options = namesIn({ unknown: 1 }, /Use one of ([\w, ]+)\./);
    const upstream = namesIn({ upstream: { unknown: 1 } }, /Use one of ([\w, ]+)\./);
    expect(options).toContain('keyLifetime');
    expect(upstream).toContain('connections');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const named = new Set(
      rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name)),
    );
    const missing = options.filter((name) => name !== 'upstream' && !named.has(name));
    expect([
      ...missing,
      ...upstream.filter((name) => !named.has(`upstream.${name}`) && !named.has(name)),
    ]).toEqual([]);
  });

  it('has a row for every field of a portal', () => {
    const fields = namesIn({ portal: { ...portal, unknown: 1 } }, /Use one of ([\w, ]+)\./);
    expect(fields).toContain('tenancyName');
    expect(fields.filter((name) => !page.includes(`\n| \`${name}\` | \`VITRINE_`))).toEqual([]);
  });

  it.each([
    ['warning', 'src/server/lib/log.ts', /(?<=^type SetupWarning =[^;]*)'(\w+)'/gm],
    [
      'mistake in the options',
      'src/server/lib/options.ts',
      /(?<=^export type VitrineOptionsErrorCode =[^;]*)'(\w+)'/gm,
    ],
  ])('lists every code of a %s', (_title, source, pattern) => {
    const codes = [...readFileSync(source, 'utf8').matchAll(pattern)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => !pages.includes(`\`${code}\``))).toEqual([]);
  });

  it('lists every problem code that a browser receives', () => {
    expect(Object.keys(problemCodes).filter((code) => !pages.includes(`\`${code}\``))).toEqual([]);
  });

  it('contains code that runs', () => {
    // Blocks that start with a file name are built and run from the packed packages.
    const fragments = [file, guide, policyGuide]
      .flatMap(codeBlocks)
      .filter((block) => block.file === undefined && block.language === 'ts');
    const use = vi.fn();
    const names = {
      app: { use },
      helmet,
      frameSources,
      portalFromEnv: () => portal,
      RateLimiterMemory,
      RateLimiterRedis,
      redis: {},
    };
    const results = fragments.map(({ code }) => {
      const body = code.replaceAll(/^import .*\n/gm, '').trim();
      const isMember = /^\w+: /.test(body);
      return runInNewContext(isMember ? `({${body}})` : body, names);
    });
    expect(use).toHaveBeenCalledOnce();
    expect(results).toContainEqual({ rateLimit: expect.any(RateLimiterRedis) });
    for (const result of results)
      if (result !== undefined) expect(() => createFetchHandler({ ...good, ...result })).not.toThrow();
  });
});
