import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Io } from '../io.ts';
import { readText } from '../output/fileError.ts';

/** The variables of a file; also of lines such as `NAME: value`, which dotenv reads, and after a byte order mark. */
export const parseEnvText = (text: string): Io['env'] =>
  parseEnv(text.replace(/^\uFEFF/, '').replaceAll(/^([ \t]*(?:export[ \t]+)?\w+):[ \t]+/gm, '$1='));

/** Adds the variables of a file such as `.env`; existing variables take precedence. */
export const withEnvFile = async ({ env, cwd, signal }: Io, file: string): Promise<Io['env']> => {
  const path = resolve(cwd, file);
  const advice = 'Use a file with lines such as VITRINE_API_KEY=…';
  return { ...parseEnvText(await readText(path, `read ${path}`, advice, signal)), ...env };
};

/** Finds the file with VITRINE_… variables in a folder: `.env.local`, else `.env`, as in Vite and Next.js. */
export const findEnvFile = async (cwd: string): Promise<string | undefined> => {
  for (const name of ['.env.local', '.env']) {
    const text = await readFile(resolve(cwd, name), 'utf8').catch(() => '');
    if (Object.keys(parseEnvText(text)).some((variable) => variable.startsWith('VITRINE_'))) return name;
  }
  return undefined;
};
