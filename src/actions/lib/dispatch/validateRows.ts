import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ActionEvent } from '../actionEvent.ts';

/** Says that another attempt would fail the same way, so the event is parked. */
export class UnusableRows extends Error {
  override readonly name = 'UnusableRows';
}

/** Gives an event whose flat rows are what a schema makes of them. Rejects with {@link UnusableRows}. */
export const validateRows = async (event: ActionEvent, schema: StandardSchemaV1): Promise<ActionEvent> => {
  const flatRows: unknown[] = [];
  for (const [index, row] of event.flatRows.entries()) {
    const result = await schema['~standard'].validate(row);
    const reason = result.issues && (result.issues[0]?.message ?? 'no reason given');
    if (reason !== undefined)
      throw new UnusableRows(`Row ${index} does not match the handler's schema: ${reason}.`);
    if (!result.issues) flatRows.push(result.value);
  }
  // The schema's output type is what the handler was declared with (see `on`).
  return { ...event, flatRows: flatRows as ActionEvent['flatRows'] };
};
