export * from '../rows.ts';
