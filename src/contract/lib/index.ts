export * from './documentationUrl.ts';
export * from './flattenRow.ts';
export * from './problemCodes.ts';
export * from './quoteText.ts';
export * from './reportAction.ts';
export * from './routes.ts';
export * from './webUrl.ts';
export * from './withoutFormulas.ts';
