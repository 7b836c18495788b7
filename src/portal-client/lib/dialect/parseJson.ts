/** Parses JSON text. `isJson` is false for HTML, plain text or a truncated body; empty text gives undefined. */
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
