import '@vitrine/contract/require-node';
import {
  isPortalError,
  type PortalConnectionInput,
  PortalError,
  parsePortalConnection,
  Secret,
} from '@vitrine/portal-client';
import { fail } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  tenantUrl: 'VITRINE_TENANT_URL',
  apiBaseUrl: 'VITRINE_API_BASE_URL',
  tenantId: 'VITRINE_TENANT_ID',
  tenancyName: 'VITRINE_TENANCY_NAME',
  apiKey: 'VITRINE_API_KEY',
  passPhrase: 'VITRINE_PASSPHRASE',
} as const;

const secretsIn = (env: Environment, name: string): Secret | readonly Secret[] => {
  const previous = env[`${name}_PREVIOUS`];
  const current = new Secret(env[name] ?? '');
  return previous === undefined || previous === '' ? current : Object.freeze([current, new Secret(previous)]);
};

/** Checks the values at once: here it is known that they come from variables. */
const checkValues = (env: Environment, input: PortalConnectionInput): void => {
  // During a rotation, a secret may be in either of its variables.
  const names = Object.fromEntries(
    (['apiKey', 'passPhrase'] as const)
      .map((option) => [option, variables[option]] as const)
      .filter(([, name]) => (env[`${name}_PREVIOUS`] ?? '') !== '')
      .map(([option, name]) => [option, `${name} or ${name}_PREVIOUS`]),
  );
  try {
    parsePortalConnection(input);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    const { what, check } = error.explain('variable', names);
    const { kind, code } = error;
    throw new PortalError(`${what} ${check}`.trim(), { kind, code });
  }
};

/**
 * Reads the portal's connection from `VITRINE_TENANT_URL`, `VITRINE_API_BASE_URL`, `VITRINE_TENANT_ID`,
 * `VITRINE_TENANCY_NAME`, `VITRINE_API_KEY` and `VITRINE_PASSPHRASE`, and, during a rotation, the old secrets from
 * `VITRINE_API_KEY_PREVIOUS` and `VITRINE_PASSPHRASE_PREVIOUS`. `VITRINE_TENANT_ID_HEADER` renames the tenant header;
 * `VITRINE_BASE_URL` is the URL of the administration API, if it has its own. The secrets print as `***`. The result is
 * frozen: copy it for another tenant. Throws if variables are missing, and names all of them, or if one is malformed.
 *
 * @example
 * ```ts
 * app.use('/api/embed', vitrine({ portal: portalFromEnv(), viewer, canView }));
 * ```
 */
export const portalFromEnv = (env: Environment = process.env): PortalConnectionInput => {
  const read = (name: string) => (env[name] ?? '').trim();
  const missing = Object.values(variables).filter((name) => read(name) === '');
  if (missing.length > 0)
    fail(
      'missing_environment',
      `portalFromEnv() needs ${missing.length === 1 ? 'the environment variable' : 'the environment variables'} ${missing.join(', ')}. Set them, for example with node --env-file=.env; "vitrine portal" starts a development portal and prints its variables.`,
    );
  const header = read('VITRINE_TENANT_ID_HEADER');
  const baseUrl = read('VITRINE_BASE_URL');
  const input = {
    tenantUrl: read(variables.tenantUrl),
    apiBaseUrl: read(variables.apiBaseUrl),
    tenantId: read(variables.tenantId),
    tenancyName: read(variables.tenancyName),
    apiKey: secretsIn(env, variables.apiKey),
    passPhrase: secretsIn(env, variables.passPhrase),
    ...(header === '' ? {} : { tenantIdHeader: header }),
    ...(baseUrl === '' ? {} : { baseUrl }),
  };
  checkValues(env, input);
  // Sloppy mode ignores an assignment to a frozen object, and every tenant would get the keys of this one.
  return new Proxy(Object.freeze(input), {
    set: () => {
      throw new TypeError(
        'The connection of portalFromEnv() cannot be changed. Copy it: { ...portalFromEnv(), tenancyName }.',
      );
    },
  });
};

export { VitrineOptionsError } from './options.ts';
