import { metrics, type ObservableResult } from '@opentelemetry/api';
import type { ActionInbox, NewDelivery, Outcome } from './inbox.ts';

/** Measures actions for OpenTelemetry; see docs/guides/monitoring.md. No attribute contains text of an action. */
export const createActionMetrics = (inbox: ActionInbox, streamCount: () => number) => {
  const meter = metrics.getMeter('@vitrine/server/actions');
  const webhooks = meter.createHistogram('vitrine.webhook.duration', {
    unit: 's',
    description: 'Duration of action webhook requests, by status.',
  });
  const durations = meter.createHistogram('vitrine.action.duration', {
    unit: 's',
    description: 'Time from the arrival of an action to the end of an attempt, by outcome.',
  });
  const gauge = (
    name: string,
    description: string,
    observe: (result: ObservableResult) => void | Promise<void>,
  ) => {
    const instrument = meter.createObservableGauge(name, { description });
    instrument.addCallback(observe);
    return () => instrument.removeCallback(observe);
  };
  const stops = [
    gauge('vitrine.action.streams', 'Open action streams.', (result) => result.observe(streamCount(), {})),
    gauge('vitrine.action.lag', 'Seconds that the oldest pending action has waited.', async (result) => {
      const [oldest] = await inbox.list({ states: ['pending'], from: '0', limit: 1 });
      result.observe(oldest ? Math.max(0, Date.now() - oldest.receivedAtMs) / 1000 : 0, {});
    }),
    gauge('vitrine.action.stored', 'Stored actions by state, up to 10,000 each.', async (result) => {
      for (const [state, count] of Object.entries(await inbox.counts()))
        result.observe(count, { 'vitrine.state': state });
    }),
  ];

  return {
    answered: (status: number, startMs: number): void =>
      webhooks.record((performance.now() - startMs) / 1000, { 'http.response.status_code': status }),
    settled: ({ receivedAtMs }: NewDelivery, { kind }: Outcome): void =>
      durations.record(Math.max(0, Date.now() - receivedAtMs) / 1000, { 'vitrine.outcome': kind }),
    close(): void {
      for (const stop of stops) stop();
    },
  };
};
