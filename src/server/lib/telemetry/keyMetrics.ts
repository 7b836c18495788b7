import { problemCodes } from '@vitrine/contract';
import type { RequestContext } from '../keys/requestContext.ts';
import { ignoreErrors } from '../log/ignoreErrors.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';
import type {
  ObservableResult,
  OpenTelemetryApi,
  TelemetryAttributes,
  TelemetrySpan,
} from './openTelemetryApi.ts';

/** A span and a measurement of each key request, and gauges of each tenant. */
export interface KeyMetrics {
  /** Runs a request in an active span, so that spans of an HTTP instrumentation become its children. */
  span<TResult>(context: RequestContext, run: () => Promise<TResult>): Promise<TResult>;
  record(context: RequestContext): void;
  close(): void;
}

const attributesOf = ({ outcome, upstream }: RequestContext): TelemetryAttributes => ({
  'vitrine.outcome': outcome,
  ...(upstream === undefined ? {} : { 'vitrine.tenancy_name': upstream.connection.tenancyName }),
});

const isFailure = (outcome: string): boolean =>
  Object.hasOwn(problemCodes, outcome) && problemCodes[outcome as keyof typeof problemCodes].status >= 500; // hasOwn guarantees it

const gauges: Readonly<
  Record<string, { readonly description: string; readonly read: (upstream: TenantUpstream) => number }>
> = {
  'vitrine.upstream.calls_in_flight': {
    description: 'Calls to the portal in flight.',
    read: ({ callsInFlight }) => callsInFlight,
  },
  'vitrine.upstream.calls_waiting': {
    description: 'Calls waiting for a free connection to the portal.',
    read: ({ callsWaiting }) => callsWaiting,
  },
  'vitrine.upstream.circuit_open': {
    description: '1 while the circuit is open: no calls are made. 0 otherwise.',
    read: ({ circuit }) => (circuit === 'open' ? 1 : 0),
  },
};

/**
 * Creates {@link KeyMetrics}. Telemetry errors do not affect requests. Names and attributes never contain a URL, so no
 * query reaches a trace.
 */
export const createKeyMetrics = (
  api: OpenTelemetryApi,
  upstreams: () => readonly TenantUpstream[],
): KeyMetrics => {
  const tracer = api.trace.getTracer('@vitrine/server');
  const meter = api.metrics.getMeter('@vitrine/server');
  const durations = meter.createHistogram('vitrine.key.duration', {
    unit: 's',
    description: 'Duration of requests for an encrypted key, by outcome.',
  });
  const stops = Object.entries(gauges).map(([name, { description, read }]) => {
    const gauge = meter.createObservableGauge(name, { description });
    const observe = (result: ObservableResult) => {
      for (const upstream of upstreams())
        result.observe(read(upstream), { 'vitrine.tenancy_name': upstream.connection.tenancyName });
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });

  return {
    span: (context, run) => {
      let running: ReturnType<typeof run> | undefined;
      const runOnce = () => {
        running ??= run();
        return running;
      };
      const end = ignoreErrors((span: TelemetrySpan) => {
        const { outcome, itemId, stats } = context;
        span.setAttributes({
          ...attributesOf(context),
          ...(itemId === undefined ? {} : { 'vitrine.item_id': itemId }),
          ...(stats === undefined ? {} : { 'vitrine.attempts': stats.attempts }),
          ...(stats?.status === undefined ? {} : { 'vitrine.portal_status': stats.status }),
        });
        if (isFailure(outcome)) span.setStatus({ code: 2, message: outcome });
        span.end();
      });
      ignoreErrors(() => tracer.startActiveSpan('vitrine.key', (span) => runOnce().finally(() => end(span))))(
        undefined,
      );
      return runOnce();
    },
    record: ignoreErrors((context: RequestContext) =>
      durations.record((performance.now() - context.startMs) / 1000, attributesOf(context)),
    ),
    close: () => {
      for (const stop of stops) stop();
    },
  };
};
