import { UsageError } from '../output/usageError.ts';

/** The value of a JSON text. Throws an error that names where the text is from, and not its content. */
export const parseJson = (text: string, from: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new UsageError(`${from} is not valid JSON.`, { cause });
  }
};
