import { plainText } from './plainText.ts';

/** Formats a value for display. */
export const formatValue = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return plainText(value.map(String).join(', ')) || '–';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
};
