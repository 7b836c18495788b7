import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createFetchHandler, type UpstreamOptions } from '@vitrine/server';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { certificateKeyPath, certificatePath, startTlsPortal, trust } from '../support/tlsPortal.ts';

const ask = async (url: string, upstream: UpstreamOptions = {}) => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connectionTo(url),
    viewer: viewerByHeader,
    canView: () => true,
    upstream: { retry: false, ...upstream },
    logger,
  });
  onTestFinished(() => handler.close());
  const response = await handler(keyRequest(1042));
  return { status: response.status, body: await response.json(), line: logger.lines[0]?.fields };
};

describe('a portal behind TLS', () => {
  it('is rejected with an untrusted certificate, and the operator sees the reason', async () => {
    const portal = await startTlsPortal('self-signed');
    const { status, body, line } = await ask(portal.url);
    expect({ status, code: body.code }).toEqual({ status: 502, code: 'portal_unreachable' });
    expect(line).toMatchObject({
      problem: 'The connection to the portal failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(JSON.stringify(body)).not.toMatch(/cert|tls/i);
    expect(portal.calls()).toBe(0);
  });

  it('is rejected when its authority is unknown, and accepted when Node trusts it', async () => {
    const portal = await startTlsPortal('portal');
    expect(await ask(portal.url)).toMatchObject({
      status: 502,
      line: { problem: expect.stringContaining('UNABLE_TO_VERIFY_LEAF_SIGNATURE') },
    });
    expect(portal.calls()).toBe(0);
    trust('authority');
    expect(await ask(portal.url)).toMatchObject({ status: 200, body: { key: 'key-over-tls' } });
  });

  it('gets a hint about scheme and port when the server does not use TLS', async () => {
    const plain = await startStandInPortal();
    onTestFinished(() => plain.close());
    expect(await ask(plain.url.replace('http:', 'https:'))).toMatchObject({
      status: 502,
      line: { hint: expect.stringContaining('Compare its scheme and port') },
    });
  });

  it('is rejected if its certificate is for another name, even from a trusted authority', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    expect(await ask(portal.addressUrl)).toMatchObject({
      status: 502,
      line: { hint: expect.stringContaining('belongs to another host') },
    });
    expect(portal.calls()).toBe(0);
  });

  it('is accepted when NODE_EXTRA_CA_CERTS contains its authority', async () => {
    const portal = await startTlsPortal('portal');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@vitrine/source', `${import.meta.dirname}/support/askOverTlsProcess.ts`, portal.url],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath('authority') } },
    );
    expect(stdout).toBe('200');
  });

  it('receives the client certificate of a dispatcher', async () => {
    const portal = await startTlsPortal('portal', undefined, 'client');
    trust('authority');
    expect(await ask(portal.url)).toMatchObject({
      status: 502,
      line: { hint: expect.stringContaining('client certificate') },
    });
    expect(portal.calls()).toBe(0);
    const own = { cert: readFileSync(certificatePath('client')), key: readFileSync(certificateKeyPath) };
    const dispatcher = new Agent({ connect: own });
    onTestFinished(() => dispatcher.close());
    expect(await ask(portal.url, { dispatcher })).toMatchObject({ status: 200 });
  });

  it('is called with the dispatcher of the host, whatever HTTPS_PROXY is', async () => {
    const portal = await startTlsPortal('portal');
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    trust('authority');
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    expect(await ask(portal.url, { dispatcher })).toMatchObject({ status: 200 });
    expect(portal.calls()).toBe(1);
  });

  it('is not called with a host dispatcher that skips verification because of an environment variable', async () => {
    const portal = await startTlsPortal('self-signed');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    onTestFinished(() => void vi.restoreAllMocks());
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    await expect(ask(portal.url, { dispatcher })).rejects.toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0');
    expect(portal.calls()).toBe(0);
    // Control: this dispatcher accepts the certificate.
    const { body } = await dispatcher.request({ origin: portal.url, path: '/', method: 'GET' });
    await body.dump();
    expect(portal.calls()).toBe(1);
  });

  it('cannot redirect a call: secrets are sent only to apiBaseUrl', async () => {
    const elsewhere = await startTlsPortal('portal');
    const portal = await startTlsPortal('portal', elsewhere.url);
    trust('authority');
    const { body, line } = await ask(portal.url);
    expect(body.code).toBe('portal_invalid_response');
    expect(line).toMatchObject({ problem: 'The portal responded with a redirect (status 307).' });
    expect(elsewhere.calls()).toBe(0);
  });
});
