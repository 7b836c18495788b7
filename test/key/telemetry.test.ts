import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCanary } from '../support/findCanary.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordTelemetry } from '../support/recordTelemetry.ts';
import { connectionTo, envelopeOf, refusalOf, startStandInPortal } from '../support/standInPortal.ts';

const mount = async () => {
  const portal = await startStandInPortal();
  const records = recordTelemetry();
  const connection = connectionTo(portal.url);
  const handler = createFetchHandler({
    portal: connection,
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
    upstream: { retry: false },
  });
  onTestFinished(async () => {
    await handler.close();
    await portal.close();
  });
  return { portal, handler, connection, ...records };
};

describe('telemetry', () => {
  it('records a span and a measurement for each key request', async () => {
    const { handler, spans, measurements } = await mount();
    await handler(keyRequest(1042));
    expect(spans).toEqual([
      {
        name: 'vitrine.key',
        isEnded: true,
        attributes: {
          'vitrine.outcome': 'issued',
          'vitrine.tenancy_name': 'acme',
          'vitrine.item_id': 1042,
          'vitrine.attempts': 1,
          'vitrine.portal_status': 200,
        },
      },
    ]);
    expect(measurements).toEqual([
      {
        name: 'vitrine.key.duration',
        value: expect.any(Number),
        attributes: { 'vitrine.outcome': 'issued', 'vitrine.tenancy_name': 'acme' },
      },
    ]);
  });

  it('marks failures of the portal as errors, but not mistakes of the viewer', async () => {
    const { handler, portal, spans } = await mount();
    portal.answer = () => ({ status: 401, body: refusalOf(401, 'No.') });
    await handler(keyRequest(1042));
    await handler(keyRequest('x'));
    expect(spans.map(({ status }) => status)).toEqual([{ code: 2, message: 'portal_refused' }, undefined]);
    expect(spans[0]?.attributes).toMatchObject({ 'vitrine.portal_status': 401, 'vitrine.attempts': 1 });
  });

  it('records gauges for each tenant: calls in flight and waiting calls', async () => {
    const { handler, portal, gauges } = await mount();
    const read = () => {
      const seen: Record<string, unknown> = {};
      for (const [name, callback] of gauges)
        void callback({
          observe: (value: number, attributes?: object) => {
            expect(attributes).toEqual({ 'vitrine.tenancy_name': 'acme' });
            seen[name] = value;
          },
        });
      return seen;
    };
    const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async () => {
      arrived.resolve();
      await gate.promise;
      return { status: 503, body: '' };
    };
    const first = handler(keyRequest(1042));
    await arrived.promise;
    expect(read()).toEqual({
      'vitrine.upstream.calls_in_flight': 1,
      'vitrine.upstream.calls_waiting': 0,
    });
    gate.resolve();
    await first;
    expect(read()).toMatchObject({ 'vitrine.upstream.calls_in_flight': 0 });
    await handler.close();
    expect(gauges.size).toBe(0);
  });

  it('contains no secret, no key and no URL', async () => {
    const { handler, portal, spans, measurements, connection } = await mount();
    portal.answer = () => ({ body: envelopeOf('Xw91-embed-key-Qm') });
    await handler(keyRequest(1042));
    expect([spans.length, measurements.length]).toEqual([1, 1]);
    const text = JSON.stringify([spans, measurements]);
    expect(findCanary(text, connection.apiKey, connection.passPhrase, 'Xw91-embed-key-Qm')).toBeUndefined();
    expect(text).not.toContain('http');
  });
});
