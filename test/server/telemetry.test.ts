import { createFetchHandler, type OpenTelemetryApi, scrubUrl } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCanary } from '../support/findCanary.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { recordTelemetry } from '../support/recordTelemetry.ts';
import { connectionTo, envelopeOf, refusalOf, startStandInPortal } from '../support/standInPortal.ts';

const mount = async () => {
  const portal = await startStandInPortal();
  const { openTelemetry, ...records } = recordTelemetry();
  const connection = connectionTo(portal.url);
  const handler = createFetchHandler({
    portal: connection,
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
    upstream: { retry: false },
    openTelemetry,
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

  it('records gauges for each tenant: calls in flight, waiting calls, the circuit', async () => {
    const { handler, portal, gauges } = await mount();
    const read = () => {
      const seen: Record<string, unknown> = {};
      for (const [name, callback] of gauges)
        callback({
          observe: (value, attributes) => {
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
      'vitrine.upstream.circuit_open': 0,
    });
    gate.resolve();
    await first;
    for (let n = 0; n < 9; n += 1) await handler(keyRequest(1042, `viewer-${n}`));
    expect(read()).toMatchObject({
      'vitrine.upstream.calls_in_flight': 0,
      'vitrine.upstream.circuit_open': 1,
    });
    await handler.close();
    expect(gauges.size).toBe(0);
  });

  it('contains no secret, no key and no URL', async () => {
    const { handler, portal, spans, measurements, connection } = await mount();
    portal.answer = () => ({ body: envelopeOf('Xw91-embed-key-Qm') });
    await handler(keyRequest(1042));
    const text = JSON.stringify([spans, measurements]);
    expect(findCanary(text, connection.apiKey, connection.passPhrase, 'Xw91-embed-key-Qm')).toBeUndefined();
    expect(text).not.toContain('http');
  });
});

describe('telemetry that fails', () => {
  const fail = (..._given: unknown[]): never => {
    throw new Error('exporter');
  };
  const { openTelemetry } = recordTelemetry();
  const traceWith = (startActiveSpan: unknown) => ({ trace: { getTracer: () => ({ startActiveSpan }) } });
  const withGauge = (gauge: object) => ({
    metrics: {
      getMeter: () => ({ ...openTelemetry.metrics.getMeter(''), createObservableGauge: () => gauge }),
    },
  });
  const span = { setAttributes: fail, setStatus: fail, end: fail };
  it.each([
    ['throws when a span starts', traceWith(fail)],
    ['rejects when a span starts', traceWith(async () => fail())],
    ['never runs the callback of the span', traceWith(() => undefined)],
    ['throws when a span ends', traceWith((_: string, run: (given: object) => unknown) => run(span))],
    [
      'throws after it ran the callback',
      traceWith((_: string, run: (given: object) => unknown) => fail(run(span))),
    ],
    [
      'throws when a duration is recorded',
      {
        metrics: {
          getMeter: () => ({
            ...openTelemetry.metrics.getMeter(''),
            createHistogram: () => ({ record: fail }),
          }),
        },
      },
    ],
  ])('loses no key and makes no second call when it %s', async (_, broken) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: viewerByHeader,
      canView: () => true,
      logger: false,
      openTelemetry: { ...openTelemetry, ...broken } as OpenTelemetryApi, // broken on purpose
    });
    onTestFinished(() => handler.close());
    expect((await handler(keyRequest(1042))).status).toBe(200);
    expect(portal.calls).toHaveLength(1);
  });

  it.each([
    ['getMeter', { metrics: { getMeter: fail } }],
    ['addCallback', withGauge({ addCallback: fail })],
    ['getTracer', { trace: { getTracer: fail } }],
  ])('is disabled with a warning when %s() throws at startup', async (_, broken) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const logger = recordLog();
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: viewerByHeader,
      canView: () => true,
      logger,
      openTelemetry: { ...openTelemetry, ...broken } as OpenTelemetryApi, // broken on purpose
    });
    onTestFinished(() => handler.close());
    expect(logger.lines.filter(({ fields }) => fields['code'] === 'telemetry_failed')).toMatchObject([
      { level: 'warn', message: expect.stringContaining('exporter') },
    ]);
    expect((await handler(keyRequest(1042))).status).toBe(200);
  });
});

describe('scrubUrl()', () => {
  it.each([
    ['https://acme.portal.example/report/1042?ev=abc%2B', 'https://acme.portal.example/report/1042'],
    ['https://user:pass@portal.example/a#b', 'https://portal.example/a'],
    ['/report/1042?ev=abc', '/report/1042'],
    ['https://portal.example/plain', 'https://portal.example/plain'],
    ['no URL at all? yes', 'no URL at all'],
    ['', ''],
  ])('changes %j to %j', (url, scrubbed) => {
    expect(scrubUrl(url)).toBe(scrubbed);
  });
});
