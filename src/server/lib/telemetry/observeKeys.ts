import { type KeyTrail, newTrail } from '../keys/keyTrail.ts';
import type { OpenTelemetryApi, TelemetryAttributes } from './openTelemetryApi.ts';

/** Answers a key request and notes on the trail how it went. */
export type AnswerKey<TInput, TAnswer> = (input: TInput, trail: KeyTrail) => Promise<TAnswer>;

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
  ...(trail.tenant === undefined ? {} : { 'vitrine.tenancy_name': trail.tenant.connection.tenancyName }),
});

/**
 * One span and one measurement for each key request, named after what it did and holding no URL at all, so that no
 * query can reach a trace. The span is active while the portal is called, so an HTTP instrumentation hangs below it.
 */
export const observeKeys = <TInput, TAnswer>(
  api: OpenTelemetryApi | undefined,
  answer: AnswerKey<TInput, TAnswer>,
  now: () => number,
): ((input: TInput) => Promise<TAnswer>) => {
  if (api === undefined) return (input) => answer(input, newTrail(now()));
  const tracer = api.trace.getTracer('@vitrine/server');
  const durations = api.metrics.getMeter('@vitrine/server').createHistogram('vitrine.key.duration', {
    unit: 's',
    description: 'Time to answer a request for an encrypted key, by outcome.',
  });
  return (input) =>
    tracer.startActiveSpan('vitrine.key', async (span) => {
      const trail = newTrail(now());
      try {
        return await answer(input, trail);
      } finally {
        durations.record((now() - trail.startMs) / 1000, attributesOf(trail));
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
