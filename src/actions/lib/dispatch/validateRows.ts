import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ActionEvent } from '../actionEvent.ts';

/** A retry would fail in the same way, so the event is parked. */
export class UnusableRows extends Error {
  override readonly name = 'UnusableRows';
}

/** Returns an event whose flat rows are the output of a schema. Rejects with {@link UnusableRows}. */
export const validateRows = async (event: ActionEvent, schema: StandardSchemaV1): Promise<ActionEvent> => {
  const flatRows: unknown[] = [];
  for (const [index, row] of event.flatRows.entries()) {
    const result = await schema['~standard'].validate(row);
    const reason = result.issues && (result.issues[0]?.message ?? 'no reason given');
    if (reason !== undefined)
      throw new UnusableRows(`Row ${index} does not match the handler's schema: ${reason}.`);
    if (!result.issues) flatRows.push(result.value);
  }
  // The handler is declared with the schema's output type (see `on`).
  return { ...event, flatRows: flatRows as ActionEvent['flatRows'] };
};
