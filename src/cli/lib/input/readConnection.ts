import type { Io } from '../io.ts';
import { UsageError } from '../output/usageError.ts';

/**
 * Reads the connection of a tenant from the variables that a host reads, with secrets as text. An error names the option
 * for their file, and the variables by their own prefix.
 */
export const readConnection = async (env: Io['env'], command: string, prefix = 'VITRINE_') => {
  const { portalFromEnv } = await import('@vitrine/server/portal-from-env');
  const { isPortalError, parsePortalConnection } = await import('@vitrine/portal-client');
  try {
    const { apiKey, passPhrase, ...connection } = parsePortalConnection(portalFromEnv(env));
    return { ...connection, apiKey: apiKey[0].reveal(), passPhrase: passPhrase[0].reveal() };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const message = isPortalError(cause)
      ? `${cause.explain('variable').what} ${cause.explain('variable').check}`
      : cause.message;
    throw new UsageError(
      message
        .replace('portalFromEnv() needs', `\`${command}\` needs`)
        .replace(
          'Set them, for example with node --env-file=.env.local;',
          'Set them, or name their file with --env;',
        )
        .replaceAll('VITRINE_', prefix),
      { cause },
    );
  }
};
