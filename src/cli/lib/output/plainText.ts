/**
 * A text fit for a terminal: control characters, among them the escape that moves cursors and changes titles, are
 * shown as `·` instead of being obeyed. Texts of the portal are other people's input.
 */
export const plainText = (text: string, options: { readonly keepLines?: boolean } = {}): string =>
  text
    .replaceAll(options.keepLines ? /[^\P{Cc}\n]/gu : /\p{Cc}/gu, '·')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
