import { isItemId } from '@vitrine/contract';
import { dashed } from '../output/text.ts';
import { UsageError } from '../output/usageError.ts';

/** The text of an option, or undefined. */
export const textOption = (options: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of a repeatable option, or undefined. */
export const listOf = (
  options: Readonly<Record<string, unknown>>,
  name: string,
): readonly string[] | undefined => {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : undefined;
};

/** The number of an option, or undefined. Throws unless it is a number of at least `min`. */
export const numberOption = (
  options: Readonly<Record<string, unknown>>,
  name: string,
  min: number,
  max = 2_147_483_647,
): number | undefined => {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max)) {
    const range = value > max ? `${max} at most` : `${min} or more`;
    throw new UsageError(`--${dashed(name)} is ${JSON.stringify(text)}. Use ${range}.`);
  }
  return value;
};

/** Whether a switch is on. */
export const isOn = (options: Readonly<Record<string, unknown>>, name: string): boolean =>
  options[name] === true;

/** The report of `--item`. */
export const readItemId = (text: string): number => {
  const itemId = Number(text);
  if (!isItemId(itemId))
    throw new UsageError(`--item is ${JSON.stringify(text)}. Use the ID of a report, such as 1042.`);
  return itemId;
};
