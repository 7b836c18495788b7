import { isPortalError, type PortalError, parsePortalConnection } from '@vitrine/portal-client';
import { portalFromEnv, VitrineOptionsError } from '@vitrine/server/portal-from-env';
import { type DoctorCheck, failed, ok, skipped } from '../doctorCheck.ts';

const names = [
  'VITRINE_TENANT_URL',
  'VITRINE_API_BASE_URL',
  'VITRINE_TENANT_ID',
  'VITRINE_TENANCY_NAME',
  'VITRINE_API_KEY',
  'VITRINE_PASSPHRASE',
];

/** Checks that all variables are set. */
export const checkVariables: DoctorCheck = {
  id: 'variables',
  title: 'Variables',
  run: ({ env, envFile }) => {
    const missing = names.filter((name) => (env[name] ?? '').trim() === '');
    return missing.length === 0
      ? ok(`all ${names.length} are set${envFile === undefined ? '' : `, in ${envFile}`}`)
      : failed(
          `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
          'Set them in the environment, or pass a file with --env. `vitrine portal --write-env .env.local` writes those of a development portal.',
        );
  },
};

/** The variable of a connection error, whose code is `invalid_` and the option's name. */
const variableOf = ({ code = '' }: PortalError): string => {
  const option = code.replace('invalid_', '').replace('pass_phrase', 'passphrase').toUpperCase();
  return (
    [...names, 'VITRINE_TENANT_ID_HEADER'].find((name) => name === `VITRINE_${option}`) ??
    'the variable of that option'
  );
};

/** Checks the form of their values: addresses, numbers, names, secrets that are not placeholders. */
export const checkValues: DoctorCheck = {
  id: 'values',
  title: 'Values',
  run: ({ env }, evidence) => {
    try {
      const connection = parsePortalConnection(portalFromEnv(env));
      evidence.connection = connection;
      const secrets = connection.apiKey.length + connection.passPhrase.length;
      return ok(
        `tenant ${connection.tenantId} "${connection.tenancyName}" at ${new URL(connection.apiBaseUrl).host}${secrets > 2 ? ', with old secrets for a rotation' : ''}`,
      );
    } catch (error) {
      if (error instanceof VitrineOptionsError) return skipped('not enough variables are set');
      // Messages of this kind name the option and never show a secret.
      if (isPortalError(error)) return failed(error.message, `Correct ${variableOf(error)}.`);
      throw error;
    }
  },
};
