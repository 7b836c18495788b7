import type { KeyTrail } from '../keys/keyTrail.ts';
import type { OpenTelemetryApi, TelemetryAttributes } from './openTelemetryApi.ts';

/** Runs a key request and notes how it went. */
export type ObserveKeys = <TValue>(
  run: (trail: KeyTrail, startMs: number) => Promise<TValue>,
) => Promise<TValue>;

const failures = new Set([
  'internal_error',
  'overloaded',
  'portal_refused',
  'portal_unreachable',
  'portal_invalid_response',
  'portal_unavailable',
  'portal_timeout',
]);

const attributesOf = (trail: KeyTrail): TelemetryAttributes => ({
  'vitrine.outcome': trail.outcome,
  ...(trail.tenancyName === undefined ? {} : { 'vitrine.tenancy_name': trail.tenancyName }),
});

/**
 * One span and one measurement for each key request, named after what it did and holding no URL at all, so that no
 * query can reach a trace. The span is active while the portal is called, so an HTTP instrumentation hangs below it.
 */
export const observeKeys = (api: OpenTelemetryApi | undefined, now: () => number): ObserveKeys => {
  if (api === undefined) return (run) => run({ outcome: 'gone' }, now());
  const tracer = api.trace.getTracer('@vitrine/server');
  const durations = api.metrics.getMeter('@vitrine/server').createHistogram('vitrine.key.duration', {
    unit: 's',
    description: 'Time to answer a request for an encrypted key, by outcome.',
  });
  return (run) =>
    tracer.startActiveSpan('vitrine.key', async (span) => {
      const trail: KeyTrail = { outcome: 'gone' };
      const startMs = now();
      try {
        return await run(trail, startMs);
      } finally {
        durations.record((now() - startMs) / 1000, attributesOf(trail));
        span.setAttributes({
          ...attributesOf(trail),
          ...(trail.itemId === undefined ? {} : { 'vitrine.item_id': trail.itemId }),
          ...(trail.attempts === undefined ? {} : { 'vitrine.attempts': trail.attempts }),
          ...(trail.portalStatus === undefined ? {} : { 'vitrine.portal_status': trail.portalStatus }),
        });
        if (failures.has(trail.outcome)) span.setStatus({ code: 2, message: trail.outcome });
        span.end();
      }
    });
};
