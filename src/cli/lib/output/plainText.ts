/**
 * Makes a text safe for a terminal: control characters, including escape sequences, become `·`. Texts of the portal are
 * untrusted input.
 */
export const plainText = (text: string, options: { readonly keepLines?: boolean } = {}): string =>
  text
    .replaceAll(options.keepLines ? /[^\P{Cc}\n]/gu : /\p{Cc}/gu, '·')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
