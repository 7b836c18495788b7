/** An identifier: a number or a non-empty string. */
export const readId = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined;
