import { need } from './difference.ts';
import { isFields } from './readers.ts';
import type { ActionLab } from './target.ts';

/**
 * A captured delivery as the actions of a target: nobody can click in a report of another portal, so it serves as every
 * selection of one row. Throws an error that names a missing part.
 */
export const capturedActions = (capture: unknown): ActionLab => {
  if (!isFields(capture)) throw new Error('it is not a JSON object');
  const text = (name: string): string => {
    const value = capture[name];
    if (typeof value !== 'string') throw new Error(`it must have the text "${name}"`);
    return value;
  };
  if (!isFields(capture['headers'])) throw new Error('it must have "headers"');
  const secret = capture['secret'] === undefined ? undefined : text('secret');
  const headers = Object.fromEntries(
    Object.entries(capture['headers']).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const action = {
    received: [{ method: text('method'), headers, text: text('text') }],
    itemGuid: text('itemGuid'),
    itemName: text('itemName'),
    visual: text('visual'),
    secret,
  };
  return {
    secrets: secret === undefined ? [] : [secret],
    countReceived: () => undefined,
    trigger: async ({ gesture, receiverStatus, hasSecret }) => {
      need(gesture === 'one row', 'needs a real click: the captured delivery covers only one selection');
      need(receiverStatus < 300, 'needs a receiver that refuses deliveries');
      need(
        hasSecret === (secret !== undefined),
        'needs a task with another secret setting than the captured one',
      );
      return action;
    },
  };
};
