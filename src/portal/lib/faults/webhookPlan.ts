import type { DeliveryPlan } from '../actions/dispatcher.ts';
import type { FaultRegistry } from './createFaults.ts';

/** The effect of faults on a webhook: delayed, duplicated or lost. */
export const webhookPlan =
  (faults: FaultRegistry): DeliveryPlan =>
  (task) => {
    const effects = faults.effectsOn({
      kind: 'webhook',
      method: 'POST',
      path: new URL(task.url).pathname,
      tenancyName: task.tenancyName,
    });
    if (effects.some((effect) => effect.kind === 'webhookLost')) return [];
    const delayMs = effects.reduce(
      (longest, effect) => (effect.kind === 'webhookDelay' ? Math.max(longest, effect.delayMs) : longest),
      0,
    );
    const isTwice = effects.some((effect) => effect.kind === 'webhookTwice');
    return isTwice ? [delayMs, delayMs] : [delayMs];
  };
