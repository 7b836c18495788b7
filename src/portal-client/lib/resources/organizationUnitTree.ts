export * from '../units.ts';
