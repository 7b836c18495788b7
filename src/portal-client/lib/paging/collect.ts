/** Collects all values in memory, for small lists. */
export const collect = async <TValue>(
  values: Iterable<TValue> | AsyncIterable<TValue>,
): Promise<TValue[]> => {
  const collected: TValue[] = [];
  for await (const value of values) collected.push(value);
  return collected;
};
