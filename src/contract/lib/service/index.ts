export { type AdviceCode, explain, type Failure, fillSentence } from './advice.ts';
export * from './authentication.ts';
export * from './email.ts';
export * from './options.ts';
export * from './resources.ts';
export * from './resourceTypes.ts';
export * from './routes.ts';
export { settings, type Voice } from './settings.ts';
