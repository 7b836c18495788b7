import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';

/** An error as a person reads it: what was wrong, the fields refused, the identifier support will ask for. */
export const describeError = (error: unknown): string => {
  if (!isPortalError(error))
    return plainText(error instanceof Error ? error.message : 'The command failed.', { keepLines: true });
  const fields = error.validationErrors.map(
    ({ field, message }) => `  ${field === '' ? '·' : `${field}:`} ${message}`,
  );
  const requestId = error.requestId === undefined ? [] : [`  request ${error.requestId}`];
  return [error.message, ...fields, ...requestId].map((line) => plainText(line)).join('\n');
};
