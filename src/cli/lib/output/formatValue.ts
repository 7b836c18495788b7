import { plainText } from './plainText.ts';

/** A value as a person reads it. */
export const formatValue = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return plainText(value.map(String).join(', ')) || '–';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
};
