import '@vitrine/contract/require-node';
import { nearestName, settings } from '@vitrine/contract/service';
import {
  isPortalError,
  type PortalConnectionInput,
  parsePortalConnection,
  Secret,
} from '@vitrine/portal-client';
import { fail } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const required = ['tenantUrl', 'apiBaseUrl', 'tenantId', 'tenancyName', 'apiKey', 'passPhrase'] as const;
const optional = ['tenantIdHeader', 'baseUrl'] as const;
const variableOf = (option: (typeof required | typeof optional)[number]) => settings[option].variable;
const previous = (name: string) => `${name}_PREVIOUS`;
const readNames = [
  ...[...required, ...optional].map(variableOf),
  ...[settings.apiKey.variable, settings.passPhrase.variable].map(previous),
];

const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';

/**
 * Variables that other parts of this project read. Kubernetes sets the last ones in every pod beside a service with the
 * name "vitrine".
 */
const readElsewhere =
  /^VITRINE_(?:SECOND_\w+|TEST_\w+|WEBHOOK_SECRET|ACTIONS_INBOX|API_KEY_FILE|API_KEY_WITHOUT_PERMISSIONS|ENCRYPTED_KEY|DEV_FILE|LONG|SEED|BUILT|COUNTS|WITHOUT_SLOW_TESTS|SERVICE_\w+|PORT|PORT_\w+)$/;

/** The names of variables that are set and begin with `VITRINE_`, and that nothing reads. */
export const unreadVariables = (env: Environment): readonly string[] =>
  Object.keys(env).filter(
    (name) =>
      /^vitrine_/i.test(name) && !readNames.includes(name) && !readElsewhere.test(name) && isSet(env, name),
  );

/** A sentence for each variable that is not read, and whose name is near one that is read and not set; else empty. */
export const renameHints = (env: Environment): string => {
  const unset = readNames.filter((name) => !isSet(env, name));
  return unreadVariables(env)
    .map((name) => [name, nearestName(name, unset)])
    .filter(([, meant]) => meant !== undefined)
    .map(([name, meant]) => ` ${name} is not read: rename it to ${meant}.`)
    .join('');
};

const secretsIn = (env: Environment, name: string): Secret | readonly Secret[] => {
  const old = env[previous(name)];
  const current = new Secret(env[name] ?? '');
  return old === undefined || old === '' ? current : Object.freeze([current, new Secret(old)]);
};

/** Checks the values at once: here it is known that they come from variables. */
const checkValues = (env: Environment, input: PortalConnectionInput): void => {
  // During a rotation, a secret may be in either of its variables.
  const names = Object.fromEntries(
    (['apiKey', 'passPhrase'] as const)
      .map((option) => [option, variableOf(option)] as const)
      .filter(([, name]) => (env[previous(name)] ?? '') !== '')
      .map(([option, name]) => [option, `${name} or ${previous(name)}`]),
  );
  try {
    parsePortalConnection(input);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    const { what } = error.explain('variable', names);
    fail(what, 'invalid_portal');
  }
};

/**
 * Reads the portal's connection from `VITRINE_TENANT_URL`, `VITRINE_API_BASE_URL`, `VITRINE_TENANT_ID`,
 * `VITRINE_TENANCY_NAME`, `VITRINE_API_KEY` and `VITRINE_PASSPHRASE`, and, during a rotation, the old secrets from
 * `VITRINE_API_KEY_PREVIOUS` and `VITRINE_PASSPHRASE_PREVIOUS`. `VITRINE_TENANT_ID_HEADER` renames the tenant header;
 * `VITRINE_BASE_URL` is the URL of the administration API, if it has its own. The secrets print as `***`. The result is
 * frozen: copy it for another tenant. Throws if variables are missing, and names all of them, if one is malformed, or if
 * one that is not read has nearly the name of one that is.
 *
 * @example
 * ```ts
 * app.use('/api/embed', vitrine({ portal: portalFromEnv(), viewer, canView }));
 * ```
 */
export const portalFromEnv = (env: Environment = process.env): PortalConnectionInput => {
  const read = (name: string) => (env[name] ?? '').trim();
  const missing = required.map(variableOf).filter((name) => !isSet(env, name));
  if (missing.length > 0)
    fail(
      `portalFromEnv() needs ${missing.length === 1 ? 'the environment variable' : 'the environment variables'} ${missing.join(', ')}. Set them, for example with node --env-file=.env.local; "vitrine portal" starts a development portal and prints its variables.${renameHints(env)}`,
      'missing_environment',
    );
  const misspelled = renameHints(env);
  if (misspelled !== '') fail(misspelled.trim(), 'unread_variable');
  const header = read(variableOf('tenantIdHeader'));
  const baseUrl = read(variableOf('baseUrl'));
  const input = {
    tenantUrl: read(variableOf('tenantUrl')),
    apiBaseUrl: read(variableOf('apiBaseUrl')),
    tenantId: read(variableOf('tenantId')),
    tenancyName: read(variableOf('tenancyName')),
    apiKey: secretsIn(env, variableOf('apiKey')),
    passPhrase: secretsIn(env, variableOf('passPhrase')),
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
