/** A value as JSON; `undefined` if that is impossible: too deep, circular, or not data. */
export const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};
