import { z } from 'zod';

/** The response that names a created row by its number. */
export const createdSchema = ['Created', z.strictObject({ id: z.int() })] as const;
