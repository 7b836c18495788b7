import { type PortalConnection, parsePortalConnection } from '@vitrine/portal-client';
import {
  portalFromEnv,
  renameHints,
  unreadVariables,
  VitrineOptionsError,
} from '@vitrine/server/portal-from-env';
import { requiredVariables } from '../input/requiredVariables.ts';
import { type Check, type CheckResult, type DoctorOptions, failed, ok, skipped, warning } from './check.ts';

interface Configuration {
  readonly options: DoctorOptions;
  /** Undefined with an error. */
  readonly connection?: PortalConnection;
  readonly error?: VitrineOptionsError;
}

/** Reads the variables as a host does. */
export const readConfiguration = (options: DoctorOptions): Configuration => {
  try {
    return { options, connection: parsePortalConnection(portalFromEnv(options.env)) };
  } catch (error) {
    if (!(error instanceof VitrineOptionsError)) throw error;
    return { options, error };
  }
};

type Read = (configuration: Configuration) => CheckResult;

const readVariables: Read = ({ options: { env, envFile } }) => {
  const missing = requiredVariables.filter((name) => (env[name] ?? '').trim() === '');
  if (missing.length > 0)
    return failed(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
      `Set them in the environment, or pass a file with --env. \`vitrine portal --write-env .env.local\` writes those of a development portal.${renameHints(env)}`,
    );
  const all = `all ${requiredVariables.length} are set${envFile === undefined ? '' : `, in ${envFile}`}`;
  const unread = unreadVariables(env);
  return unread.length === 0
    ? ok(all)
    : warning(
        `${all}; nothing of Vitrine reads ${unread.join(', ')}`,
        'Check the spelling. Options such as keyLifetime have no variable: set them in the code of the host. Ignore this for a variable of your own.',
      );
};

const readValues: Read = ({ options: { env, envFile }, connection, error }) => {
  const expanded = requiredVariables.find((name) => envFile !== undefined && env[name]?.includes('$'));
  if (connection !== undefined && expanded !== undefined)
    return warning(
      `${expanded} contains $, which Vite and Next.js replace in ${envFile}, and Node.js does not`,
      'Use a value without $, or set this variable in the environment instead of the file.',
    );
  if (connection !== undefined) {
    const { tenantId, tenancyName, apiBaseUrl, apiKey, passPhrase } = connection;
    const old = apiKey.length + passPhrase.length > 2 ? ', with old secrets for a rotation' : '';
    return ok(`tenant ${tenantId} "${tenancyName}" at ${new URL(apiBaseUrl).host}${old}`);
  }
  if (error?.code === 'missing_environment') return skipped('not enough variables are set');
  // The message names the variable and never shows a secret.
  const message = error?.message.replace(/ \[\w+\]$/, '') ?? '';
  return failed(message, `Correct ${/VITRINE_\w+/i.exec(message)?.[0]}.`);
};

export const configurationChecks: readonly Check<Configuration>[] = [
  ['variables', 'Variables', readVariables],
  ['values', 'Values', readValues],
];
