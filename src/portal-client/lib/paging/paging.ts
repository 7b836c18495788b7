export * from '../paging.ts';
