import { asText } from '../../responses/jsonValues.ts';

/** The value of `active` in a file: a boolean, or one of these words in any case. No value means that the field is missing. */
export const readActive = (value: unknown): boolean | undefined => {
  const text = asText(value ?? '')?.trim() ?? 'neither';
  if (text === '') return undefined;
  if (/^(?:true|yes|y|1|active)$/i.test(text)) return true;
  if (/^(?:false|no|n|0|inactive)$/i.test(text)) return false;
  // As it was given: planning reports the row, so that a former user never counts as active.
  return value as boolean;
};
