/** A JSON value of the control interface; the console shows it unchecked. */
export type Row = Readonly<Record<string, unknown>>;

/** Calls the control interface. Rejects with the portal's own message. */
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
  // Every response of the control interface is a JSON object or empty.
  const answer = (text === '' ? {} : JSON.parse(text)) as Row;
  if (!response.ok) {
    const error = answer['error'] as { readonly message?: string } | undefined;
    throw new Error(error?.message ?? `The portal responded with ${response.status}.`);
  }
  return answer;
};

/** The rows of a list response. */
export const rowsOf = (answer: Row): readonly Row[] => (answer['items'] ?? []) as readonly Row[];

/**
 * The fields that differ between two states of a form. The first is what the form showed, not the row: a form cannot show
 * everything that a row may have.
 */
export const changesOf = (before: Row, after: Row): Row =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );

/** A value as text for a cell. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
