/** All values, in memory: for lists that are small by nature. */
export const collect = async <TValue>(
  values: Iterable<TValue> | AsyncIterable<TValue>,
): Promise<TValue[]> => {
  const collected: TValue[] = [];
  for await (const value of values) collected.push(value);
  return collected;
};
