const maxLength = 80;

/** Quotes a text for a message: at most 80 characters, with control and format characters as `\u{…}`. */
export const quoteText = (text: string): string =>
  JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
