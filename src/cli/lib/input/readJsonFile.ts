import { readFile } from 'node:fs/promises';
import { fileError } from '../output/fileError.ts';
import { UsageError } from '../output/usageError.ts';

/** Reads a JSON file. */
const readJsonFile = async (path: string): Promise<unknown> => {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw fileError(`read ${path}`, error, 'Compare its name.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${path} is not valid JSON.`);
  }
};

/** Reads a JSON file with a list. */
export const readJsonList = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const value = await readJsonFile(path);
  if (!Array.isArray(value) || !value.every(isRecord))
    throw new UsageError(`The file ${path} is not a list of records. It should look like [{…}, {…}].`);
  return value;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
