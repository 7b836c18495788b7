export { embedKeyRequestSchema } from './embedKeyRequestSchema.ts';
