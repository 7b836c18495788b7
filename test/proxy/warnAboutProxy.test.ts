import { vitrine } from '@vitrine/express';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo } from '../support/standInPortal.ts';

const warningsWith = async (trustProxy: unknown) => {
  const logger = recordLog();
  const app = express();
  app.set('trust proxy', trustProxy);
  const handler = vitrine({
    portal: connectionTo('http://127.0.0.1:9'),
    viewer: () => null,
    canView: () => false,
    logger,
  });
  onTestFinished(() => handler.close());
  app.use('/api/embed', handler);
  const url = await serveUntilEnd(app);
  await fetch(`${url}/api/embed/keys`);
  await fetch(`${url}/api/embed/keys`);
  return logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['code']);
};

describe('the setting "trust proxy"', () => {
  it('causes one warning when it lets every client choose its own address', async () => {
    expect(await warningsWith(true)).toEqual(['trust_proxy_permissive']);
  });

  it.each([false, 1, 'loopback', undefined])('causes no warning as %j', async (setting) => {
    expect(await warningsWith(setting)).toEqual([]);
  });
});
