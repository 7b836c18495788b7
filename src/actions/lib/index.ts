export * from '@vitrine/server/actions';
