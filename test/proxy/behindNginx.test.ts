import { readFileSync } from 'node:fs';
import { createNodeHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { hasNginx, startNginx } from '../packages/startNginx.ts';
import { optionsFor } from '../support/keyHost.ts';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { startStandInPortal } from '../support/standInPortal.ts';

it.skipIf(!hasNginx)(
  'a page behind nginx gets keys with the line that the log suggests, on any port',
  async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const logger = recordLog();
    const handler = createNodeHandler(optionsFor(portal.url, () => 'north', { logger }));
    onTestFinished(() => handler.close());
    const url = await serveUntilEnd(handler);
    const askThroughNginx = async (line: string) => {
      const nginx = await startNginx(`location / { proxy_pass ${url}; ${line} }`);
      onTestFinished(() => nginx.stop());
      const headers = {
        'Content-Type': 'application/json',
        'x-vitrine-request': '1',
        origin: new URL(nginx.url).origin,
      };
      const response = await fetch(new URL('/keys', nginx.url), {
        method: 'POST',
        headers,
        body: '{"itemId":1042}',
      });
      return response.status;
    };
    expect(await askThroughNginx('')).toBe(403);
    const advised = /nginx: (proxy_set_header [^)]+)\)/.exec(String(logger.lines[0]?.fields['hint']))?.[1];
    expect(readFileSync('docs/guides/deployment.md', 'utf8')).toContain(`\`${advised}\``);
    expect(await askThroughNginx(`${advised};`)).toBe(200);
  },
);
