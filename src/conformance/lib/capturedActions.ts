import { isText } from './fieldTypes.ts';
import { isFields } from './readers.ts';
import type { CapturedAction } from './target.ts';

const texts = ['method', 'text', 'itemGuid', 'itemName', 'visual', 'secret'];

/** Reads captured deliveries: nobody can click in a report of another portal. Throws an error that names a wrong part. */
export const capturedActions = (captures: unknown): readonly CapturedAction[] =>
  [captures].flat().map((capture) => {
    const { headers, ...action } = { rows: 1, secret: '', ...Object(capture) };
    const wrong = texts.find((name) => !isText(action[name]));
    if (wrong !== undefined || !isFields(headers)) throw new Error(`it has no valid "${wrong ?? 'headers'}"`);
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { ...action, headers: Object.fromEntries(lower) };
  });
