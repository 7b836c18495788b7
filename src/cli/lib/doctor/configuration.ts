import { type PortalConnection, parsePortalConnection } from '@vitrine/portal-client';
import {
  portalFromEnv,
  renameHints,
  unreadVariables,
  VitrineOptionsError,
} from '@vitrine/server/portal-from-env';
import { requiredVariables } from '../input/requiredVariables.ts';
import { type CheckResult, type DoctorOptions, failed, ok, skipped, warning } from './check.ts';

/** Reads the variables as a host does. */
export const readConfiguration = ({ env, envFile }: DoctorOptions) => {
  const missing = requiredVariables.filter((name) => (env[name] ?? '').trim() === '');
  if (missing.length > 0) {
    const seen = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
    const next = `Set them in the environment, or pass a file with --env. \`vitrine portal --write-env .env.local\` writes those of a development portal.${renameHints(env)}`;
    return { variables: failed(seen, next), values: skipped('not enough variables are set') };
  }
  const all = `all ${requiredVariables.length} are set${envFile === undefined ? '' : `, in ${envFile}`}`;
  const unread = unreadVariables(env);
  const spelling =
    'Check the spelling. Options such as keyLifetime have no variable: set them in the code of the host. Ignore this for a variable of your own.';
  const variables =
    unread.length === 0
      ? ok(all)
      : warning(`${all}; nothing of Vitrine reads ${unread.join(', ')}`, spelling);
  try {
    const connection = parsePortalConnection(portalFromEnv(env));
    return { variables, values: readValues(connection, env, envFile), connection };
  } catch (error) {
    if (!(error instanceof VitrineOptionsError)) throw error;
    // The message names the variable and never shows a secret.
    const message = error.message.replace(/ \[\w+\]$/, '');
    return { variables, values: failed(message, `Correct ${/VITRINE_\w+/i.exec(message)?.[0]}.`) };
  }
};

const readValues = (
  connection: PortalConnection,
  env: DoctorOptions['env'],
  envFile?: string,
): CheckResult => {
  const expanded = requiredVariables.filter((name) => env[name]?.includes('$'));
  if (envFile !== undefined && expanded.length > 0)
    return warning(
      `$ in ${expanded.join(' and ')}: Vite and Next.js replace it in ${envFile}, and Node.js does not`,
      'Use values without $, or set these variables in the environment instead of the file.',
    );
  const { tenantId, tenancyName, apiBaseUrl, apiKey, passPhrase } = connection;
  const old = apiKey.length + passPhrase.length > 2 ? ', with old secrets for a rotation' : '';
  return ok(`tenant ${tenantId} "${tenancyName}" at ${new URL(apiBaseUrl).host}${old}`);
};
