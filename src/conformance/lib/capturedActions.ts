import { isFields } from './readers.ts';
import type { CapturedAction } from './target.ts';

/** Reads captured deliveries: nobody can click in a report of another portal. Throws an error that names a missing part. */
export const capturedActions = (captures: unknown): readonly CapturedAction[] =>
  [captures].flat().map((capture) => {
    if (!isFields(capture)) throw new Error('it is not a JSON object');
    const { gesture, receiverStatus = 204, headers, secret } = capture;
    const text = (name: string): string => {
      const value = capture[name];
      if (typeof value !== 'string') throw new Error(`it must have the text "${name}"`);
      return value;
    };
    if (!isFields(headers)) throw new Error('it must have "headers"');
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return {
      gesture: gesture === 'several rows' ? gesture : 'one row',
      receiverStatus: Number(receiverStatus),
      received: [{ method: text('method'), headers: Object.fromEntries(lower), text: text('text') }],
      itemGuid: text('itemGuid'),
      itemName: text('itemName'),
      visual: text('visual'),
      secret: secret === undefined ? undefined : text('secret'),
    };
  });
