export * from '../errors.ts';
