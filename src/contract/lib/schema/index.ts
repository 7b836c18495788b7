export { embedKeyRequestSchema } from './embedKeyRequest.ts';
