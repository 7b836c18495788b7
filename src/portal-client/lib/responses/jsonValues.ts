export * from '../json.ts';
