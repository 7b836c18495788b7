import { parsePortalConnection } from '@vitrine/portal-client';
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
      if (!(error instanceof VitrineOptionsError)) throw error;
      if (error.code === 'missing_environment') return skipped('not enough variables are set');
      // The message names the variable and never shows a secret.
      const [variable = 'the variable'] = /VITRINE_\w+/.exec(error.message) ?? [];
      return failed(error.message.replace(` [${error.code}]`, ''), `Correct ${variable}.`);
    }
  },
};
