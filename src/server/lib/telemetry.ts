import { type Attributes, metrics, type ObservableResult, trace } from '@opentelemetry/api';
import { problemCodes } from '@vitrine/contract';
import type { RequestRecord } from './log.ts';
import type { PortalCalls } from './portalCalls.ts';

const attributesOf = ({ outcome, tenancyName }: RequestRecord): Attributes => ({
  'vitrine.outcome': outcome,
  ...(tenancyName !== undefined && { 'vitrine.tenancy_name': tenancyName }),
});

const isFailure = (outcome: RequestRecord['outcome']): boolean =>
  outcome !== 'issued' && outcome !== 'aborted' && problemCodes[outcome].status >= 500;

const gauges = {
  'vitrine.upstream.calls_in_flight': ['Calls to the portal in flight.', 'callsInFlight'],
  'vitrine.upstream.calls_waiting': ['Calls waiting for a free connection to the portal.', 'callsWaiting'],
} as const;

/**
 * Creates a span and a measurement of each key request, and gauges of each tenant, for the SDK that the process has started;
 * without one, nothing is measured. Names and attributes never contain a URL, so no query reaches a trace.
 */
export const createTelemetry = (tenants: () => readonly PortalCalls[]) => {
  const tracer = trace.getTracer('@vitrine/server');
  const meter = metrics.getMeter('@vitrine/server');
  const durations = meter.createHistogram('vitrine.key.duration', {
    unit: 's',
    description: 'Duration of requests for an encrypted key, by outcome.',
  });
  const stops = Object.entries(gauges).map(([name, [description, field]]) => {
    const gauge = meter.createObservableGauge(name, { description });
    const observe = (result: ObservableResult) => {
      for (const tenant of tenants())
        result.observe(tenant.health()[field], { 'vitrine.tenancy_name': tenant.connection.tenancyName });
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  return {
    /** Runs a request in an active span, so that spans of an HTTP instrumentation become its children. */
    span: <TResult>(record: RequestRecord, run: () => Promise<TResult>): Promise<TResult> =>
      tracer.startActiveSpan('vitrine.key', async (span) => {
        try {
          return await run();
        } finally {
          const { outcome, itemId, stats } = record;
          span.setAttributes({
            ...attributesOf(record),
            ...(itemId !== undefined && { 'vitrine.item_id': itemId }),
            ...(stats !== undefined && { 'vitrine.attempts': stats.attempts }),
            ...(stats?.status !== undefined && { 'vitrine.portal_status': stats.status }),
          });
          if (isFailure(outcome)) span.setStatus({ code: 2, message: outcome });
          span.end();
          durations.record((performance.now() - record.startMs) / 1000, attributesOf(record));
        }
      }),
    close: (): void => {
      for (const stop of stops) stop();
    },
  };
};
