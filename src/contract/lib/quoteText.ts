const maxLength = 80;

/** A text for a message, in quotes: at most 80 characters, with what is not seen (control and format characters) as `\u{…}`. */
export const quoteText = (text: string): string =>
  JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
