import { isItemId } from '@vitrine/contract';
import { dashed } from '../output/dashed.ts';
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
): number | undefined => {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < min)
    throw new UsageError(`--${dashed(name)} is ${JSON.stringify(text)}. Use ${min} or more.`);
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
