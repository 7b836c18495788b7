import { type Attributes, metrics, type ObservableResult, trace } from '@opentelemetry/api';
import { problemCodes } from '@vitrine/contract';
import type { RequestRecord } from './log.ts';
import type { PortalCalls } from './portalCalls.ts';

/**
 * Creates instruments for the SDK that the process has started; without one, nothing is measured.
 * docs/guides/monitoring.md describes them.
 */
export const createInstruments = (scope: string) => {
  const meter = metrics.getMeter(scope);
  const stops: (() => void)[] = [];
  return {
    /** A histogram of durations: the result records the time since a start, by `performance.now()`. */
    duration: (name: string) => {
      const histogram = meter.createHistogram(name, { unit: 's' });
      return (startMs: number, attributes: Attributes): void =>
        histogram.record(Math.max(0, performance.now() - startMs) / 1000, attributes);
    },
    gauge: (name: string, observe: (result: ObservableResult) => void | Promise<void>): void => {
      const gauge = meter.createObservableGauge(name);
      gauge.addCallback(observe);
      stops.push(() => gauge.removeCallback(observe));
    },
    close: (): void => {
      for (const stop of stops) stop();
    },
  };
};

const attributesOf = ({ outcome, tenancyName }: RequestRecord): Attributes => ({
  'vitrine.outcome': outcome,
  ...(tenancyName !== undefined && { 'vitrine.tenancy_name': tenancyName }),
});

const isFailure = (outcome: RequestRecord['outcome']): boolean =>
  outcome !== 'issued' && outcome !== 'aborted' && problemCodes[outcome].status >= 500;

/**
 * Creates a span and a measurement of each key request, and gauges of each tenant. Names and attributes never contain a
 * URL, so no query reaches a trace.
 */
export const createTelemetry = (tenants: () => readonly PortalCalls[]) => {
  const tracer = trace.getTracer('@vitrine/server');
  const { duration, gauge, close } = createInstruments('@vitrine/server');
  const record = duration('vitrine.key.duration');
  const observe = (field: 'callsInFlight' | 'callsWaiting') => (result: ObservableResult) => {
    for (const tenant of tenants())
      result.observe(tenant.health()[field], { 'vitrine.tenancy_name': tenant.connection.tenancyName });
  };
  gauge('vitrine.upstream.calls_in_flight', observe('callsInFlight'));
  gauge('vitrine.upstream.calls_waiting', observe('callsWaiting'));
  return {
    /** Runs a request in an active span, so that spans of an HTTP instrumentation become its children. */
    span: <TResult>(request: RequestRecord, run: () => Promise<TResult>): Promise<TResult> =>
      tracer.startActiveSpan('vitrine.key', async (span) => {
        try {
          return await run();
        } finally {
          const { outcome, itemId, stats } = request;
          span.setAttributes({
            ...attributesOf(request),
            ...(itemId !== undefined && { 'vitrine.item_id': itemId }),
            ...(stats !== undefined && { 'vitrine.attempts': stats.attempts }),
            ...(stats?.status !== undefined && { 'vitrine.portal_status': stats.status }),
          });
          if (isFailure(outcome)) span.setStatus({ code: 2, message: outcome });
          span.end();
          record(request.startMs, attributesOf(request));
        }
      }),
    close,
  };
};
