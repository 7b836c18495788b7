import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { fileError } from '../output/fileError.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const read = async (path: string, advice: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw fileError(`read ${path}`, error, advice);
  }
};

/** The variables of a file; also of lines such as `NAME: value`, which dotenv reads, and after a byte order mark. */
export const parseEnvText = (text: string): Readonly<Record<string, string | undefined>> =>
  parseEnv(text.replace(/^\uFEFF/, '').replaceAll(/^([ \t]*(?:export[ \t]+)?\w+):[ \t]+/gm, '$1='));

const own = (value: unknown, name: string): string => {
  const member: unknown =
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Reflect.get(value, name)
      : undefined;
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
};

/** Adds the variables of a file such as `.env`; existing variables take precedence. */
export const withEnvFile = async (env: Environment, cwd: string, file: string): Promise<Environment> => ({
  ...parseEnvText(await read(resolve(cwd, file), 'Use a file with lines such as VITRINE_API_KEY=…')),
  ...env,
});

/** Finds the file with VITRINE_… variables in a folder: `.env.local`, else `.env`, as in Vite and Next.js. */
export const findEnvFile = async (cwd: string): Promise<string | undefined> => {
  for (const name of ['.env.local', '.env']) {
    const text = await readFile(resolve(cwd, name), 'utf8').catch(() => '');
    if (Object.keys(parseEnvText(text)).some((variable) => variable.startsWith('VITRINE_'))) return name;
  }
  return undefined;
};

/** Adds the connection of the portal that `npm start` runs. */
export const withDevPortal = async (env: Environment, cwd: string): Promise<Environment> => {
  const text = await read(resolve(cwd, '.vitrine/dev.json'), 'Run `npm start` and keep it running.');
  const dev: unknown = JSON.parse(text);
  const portal: unknown = typeof dev === 'object' && dev !== null && 'portal' in dev ? dev.portal : undefined;
  return {
    ...env,
    VITRINE_TENANT_URL: own(portal, 'tenantUrl'),
    VITRINE_API_BASE_URL: own(portal, 'apiBaseUrl'),
    VITRINE_TENANT_ID: own(portal, 'tenantId'),
    VITRINE_TENANCY_NAME: own(portal, 'tenancyName'),
    VITRINE_API_KEY: own(portal, 'apiKey'),
    VITRINE_PASSPHRASE: own(portal, 'passPhrase'),
  };
};
