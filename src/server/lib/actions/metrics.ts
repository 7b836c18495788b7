import { createInstruments } from '../telemetry.ts';
import type { ActionInbox, NewDelivery, Outcome } from './inbox.ts';

/** Measures actions for OpenTelemetry; see docs/guides/monitoring.md. No attribute contains text of an action. */
export const createActionMetrics = (inbox: ActionInbox, streamCount: () => number) => {
  const { duration, gauge, close } = createInstruments('@vitrine/server/actions');
  const answered = duration('vitrine.webhook.duration');
  const settled = duration('vitrine.action.duration');
  gauge('vitrine.action.streams', (result) => result.observe(streamCount(), {}));
  gauge('vitrine.action.lag', async (result) => {
    const [oldest] = await inbox.list({ states: ['pending'], from: '0', limit: 1 });
    result.observe(oldest ? Math.max(0, Date.now() - oldest.receivedAtMs) / 1000 : 0, {});
  });
  gauge('vitrine.action.stored', async (result) => {
    for (const [state, count] of Object.entries(await inbox.counts()))
      result.observe(count, { 'vitrine.state': state });
  });
  return {
    answered: (status: number, startMs: number): void =>
      answered(startMs, { 'http.response.status_code': status }),
    settled: ({ receivedAtMs }: NewDelivery, { kind }: Outcome): void =>
      settled(performance.now() - (Date.now() - receivedAtMs), { 'vitrine.outcome': kind }),
    close,
  };
};
