import { resolve } from 'node:path';
import type { Secret } from '@vitrine/portal-client';
import type { Io } from '../io.ts';
import { readText } from '../output/fileError.ts';
import type { Run } from '../program/addCommand.ts';
import { textOption } from '../program/readOptions.ts';
import { askSecret } from './ask.ts';

/** The secrets in the variables, also those of a rotation. */
export const secretsIn = (env: Io['env']): readonly string[] =>
  Object.entries(env).flatMap(([name, value = '']) =>
    /^VITRINE_.*(?:API_KEY|PASSPHRASE|SECRET)(?:_PREVIOUS)?$/.test(name) ? [value.trim()] : [],
  );

/** Reads the API key from VITRINE_API_KEY, a file or a prompt. Never from an argument, which others can see. */
export const readApiKey = async ({ io, options }: Run): Promise<Secret> => {
  const { Secret } = await import('@vitrine/portal-client');
  const file = textOption(options, 'apiKeyFile') ?? (io.env['VITRINE_API_KEY_FILE'] || undefined);
  const text = io.env['VITRINE_API_KEY'];
  if (textOption(options, 'apiKeyFile') === undefined && text !== undefined && text.trim() !== '')
    return new Secret(text.trim());
  if (file !== undefined) {
    // The text may be the key itself.
    const next = 'Check the path in --api-key-file or VITRINE_API_KEY_FILE.';
    const path = resolve(io.cwd, file);
    return new Secret((await readText(path, 'read the file of the API key', next, io.signal)).trim());
  }
  const { renameHints } = await import('@vitrine/server/portal-from-env');
  return new Secret(
    await askSecret(
      { io, options },
      'Tenant API Key',
      `No API key. Set VITRINE_API_KEY, or VITRINE_API_KEY_FILE to a file that contains it.${renameHints(io.env)}`,
    ),
  );
};
