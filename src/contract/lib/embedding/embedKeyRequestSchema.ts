import { z } from 'zod';
import { isItemId } from './isItemId.ts';

/**
 * Body of `POST {endpoint}/keys`: `itemId` and nothing else.
 *
 * @example
 * ```ts
 * import { embedKeyRequestSchema } from '@vitrine/contract/service/schemas';
 *
 * const { itemId } = embedKeyRequestSchema.parse({ itemId: 1042 });
 * ```
 */
export const embedKeyRequestSchema = z.strictObject({
  itemId: z.custom<number>(isItemId, 'must be a positive whole number'),
});
