import type { DeliveryPlan } from '../actions/dispatcher.ts';
import type { FaultRegistry } from './createFaults.ts';

/** The effect of faults on a webhook: delayed, duplicated or lost. */
export const webhookPlan =
  (faults: FaultRegistry): DeliveryPlan =>
  (task) => {
    const effects = faults.effectsOn({
      kind: 'webhook',
      method: 'POST',
      path: URL.parse(task.url)?.pathname ?? '',
      tenancyName: task.tenancyName,
    });
    if (effects.some((effect) => effect.kind === 'webhookLost')) return [];
    const delays = effects.map((effect) => (effect.kind === 'webhookDelay' ? effect.delayMs : 0));
    const delayMs = Math.max(0, ...delays);
    const isTwice = effects.some((effect) => effect.kind === 'webhookTwice');
    return isTwice ? [delayMs, delayMs] : [delayMs];
  };
