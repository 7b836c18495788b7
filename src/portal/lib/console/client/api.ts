/** A JSON value as the control interface answers it; the console shows what it finds. */
export type Row = Readonly<Record<string, unknown>>;

/** Asks the control interface. Rejects with the portal's own sentence. */
export const ask = async (method: string, path: string, body?: unknown): Promise<Row> => {
  const response = await fetch(`/_control${path}`, {
    method,
    cache: 'no-store',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  // Every answer of the control interface is a JSON object or empty.
  const answer = (text === '' ? {} : JSON.parse(text)) as Row;
  if (!response.ok) {
    const error = answer['error'] as { readonly message?: string } | undefined;
    throw new Error(error?.message ?? `The portal responded with ${response.status}.`);
  }
  return answer;
};

/** The rows of an answer that is a list. */
export const rowsOf = (answer: Row): readonly Row[] => (answer['items'] ?? []) as readonly Row[];

const comparable = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : (value ?? ''));

/** What a form changed of a row: the rest may have been changed by others meanwhile, and stays theirs. */
export const changesOf = (row: Row, body: Row): Row =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => comparable(value) !== comparable(row[name])),
  );

/** A value as text for a cell. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
