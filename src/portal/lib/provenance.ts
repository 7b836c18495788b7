import type { z } from 'zod';

/** Key under which a schema says where it comes from; OpenAPI keeps names that start with `x-`. */
const provenanceKey = 'x-provenance';

/** Marks what the interface states, with its section. */
export const stated = <TSchema extends z.ZodType>(
  section: string,
  schema: TSchema,
  description: string,
): TSchema => schema.meta({ description, [provenanceKey]: `interface ${section}` });

/** Marks what the interface leaves open and the portal decides by the best-supported convention. */
export const chosen = <TSchema extends z.ZodType>(schema: TSchema, description: string): TSchema =>
  schema.meta({ description, [provenanceKey]: 'our choice' });
