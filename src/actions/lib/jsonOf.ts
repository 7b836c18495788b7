/** A value as JSON; `undefined` where JSON cannot write it: it is nested too deeply, refers to itself, or is no data. */
export const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};
