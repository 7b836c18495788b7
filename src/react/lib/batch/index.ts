export { batchKeys } from './batchKeys.ts';
