import type { z } from 'zod';

/** Key of a schema's provenance; OpenAPI allows names that start with `x-`. */
export const provenanceKey = 'x-provenance';

/** Marks a statement of the interface, with its section. */
export const stated = <TSchema extends z.ZodType>(
  section: string,
  schema: TSchema,
  description: string,
): TSchema => schema.meta({ description, [provenanceKey]: `interface ${section}` });

/** Marks a choice of the portal where the interface is silent, by the best-supported convention. */
export const chosen = <TSchema extends z.ZodType>(schema: TSchema, description: string): TSchema =>
  schema.meta({ description, [provenanceKey]: 'our choice' });
