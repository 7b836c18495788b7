/**
 * Makes a text safe for a terminal: control characters, including escape sequences, become `·`. Texts of the portal are
 * untrusted input.
 */
export const plainText = (text: string, options: { readonly keepLines?: boolean } = {}): string =>
  text
    .replaceAll(options.keepLines ? /[^\P{Cc}\n]/gu : /\p{Cc}/gu, '·')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Formats a value for display. */
export const formatValue = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return plainText(value.map(String).join(', ')) || '–';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
};

/** Formats a time for display, in UTC: `2026-01-31 08:15:00`. */
export const shortTime = (timestamp: string | undefined): string =>
  timestamp === undefined ? '–' : timestamp.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');

/** Converts an option name from code to the command line: `publicUrl` to `public-url`. */
export const dashed = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A count with the form of its noun: `1 row`, `2 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The counts that are not zero, in one text: `2 created, 1 failed`. Empty if all are. */
export const listCounts = (counts: readonly (readonly [count: number, what: string])[]): string =>
  counts
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ');
