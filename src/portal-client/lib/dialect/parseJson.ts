/** The JSON of a text. `isJson` is false for HTML, plain text or a body cut short; an empty text is nothing at all. */
export const parseJson = (
  text: string,
): { readonly isJson: true; readonly value: unknown } | { readonly isJson: false } => {
  if (text.trim() === '') return { isJson: true, value: undefined };
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false };
  }
};
