import { parseArgs } from 'node:util';
import { readCapturedActions } from './capturedActions.ts';
import type { Effect, Target, TenantAccess } from './target.ts';
import { UsageError } from './usageError.ts';

/** What a run is asked to do. */
export interface RunOptions {
  /** The service to check; `undefined`: a portal started for the run. */
  readonly target: Target | undefined;
  /** Folder for the report. */
  readonly reportFolder: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const options = {
  'base-url': text,
  'api-base-url': text,
  'tenant-url': text,
  'tenant-id': text,
  'tenancy-name': text,
  'tenant-id-header': { ...text, default: 'Svc.TenantId' },
  'item-id': text,
  'other-item-id': text,
  'rls-item-id': text,
  'role-name': text,
  'directory-group-id': text,
  'allow-keys': flag,
  'allow-writes': flag,
  webhook: text,
  help: flag,
  report: { ...text, default: 'conformance-report' },
} as const;

export const usage = `npm run conformance                                    checks a portal started for the run
npm run conformance -- --base-url https://… [options]  checks another service, asking only

  --base-url, --api-base-url, --tenant-url, --tenant-id, --tenancy-name
                       the tenant; VITRINE_BASE_URL, VITRINE_API_BASE_URL, … where an option is left out
  --allow-keys         also create encrypted keys and open reports with them
  --allow-writes       also create users, roles, units and items (only users can be removed again); implies --allow-keys
  --item-id, --other-item-id, --rls-item-id, --role-name, --directory-group-id
                       what to use, where it cannot be found by asking
  --tenant-id-header   header with the tenant's number, default Svc.TenantId
  --webhook            JSON file with a captured webhook delivery, to hold against section 6.1
  --report             folder for report.json and report.md, default conformance-report

Secrets come from the environment: VITRINE_API_KEY, VITRINE_PASSPHRASE, VITRINE_API_KEY_WITHOUT_PERMISSIONS, and for a
second tenant VITRINE_SECOND_TENANT_URL, VITRINE_SECOND_TENANT_ID, VITRINE_SECOND_TENANCY_NAME, VITRINE_SECOND_API_KEY,
VITRINE_SECOND_PASSPHRASE.
`;

const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.`);
  return value;
};

const number = (value: string, name: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new UsageError(`${name} must be a positive whole number.`);
  return Number(value);
};

const address = (value: string, name: string): string => {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new UsageError(`${name} must be an http or https address.`);
  return value;
};

const secondTenant = (environment: Environment, shared: TenantAccess): TenantAccess | undefined =>
  environment['VITRINE_SECOND_API_KEY'] === undefined
    ? undefined
    : {
        ...shared,
        apiKey: environment['VITRINE_SECOND_API_KEY'],
        passPhrase: required(environment['VITRINE_SECOND_PASSPHRASE'], 'VITRINE_SECOND_PASSPHRASE'),
        tenantUrl: address(
          required(environment['VITRINE_SECOND_TENANT_URL'], 'VITRINE_SECOND_TENANT_URL'),
          'VITRINE_SECOND_TENANT_URL',
        ),
        tenantId: number(
          required(environment['VITRINE_SECOND_TENANT_ID'], 'VITRINE_SECOND_TENANT_ID'),
          'VITRINE_SECOND_TENANT_ID',
        ),
        tenancyName: required(environment['VITRINE_SECOND_TENANCY_NAME'], 'VITRINE_SECOND_TENANCY_NAME'),
      };

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

/** Reads command line and environment; throws a {@link UsageError} that names what is wrong and shows no secret. */
export const readOptions = (args: readonly string[], environment: Environment): RunOptions => {
  const values = parse(args);
  if (values.help) throw new UsageError('What a run can be asked for:');
  const reportFolder = values.report;
  const baseUrl = values['base-url'] ?? environment['VITRINE_BASE_URL'];
  if (baseUrl === undefined) return { target: undefined, reportFolder };
  const from = (name: 'api-base-url' | 'tenant-url' | 'tenant-id' | 'tenancy-name') => {
    const variable = `VITRINE_${name.toUpperCase().replaceAll('-', '_')}`;
    return required(values[name] ?? environment[variable], `--${name} (or ${variable})`);
  };
  const id = (name: 'item-id' | 'other-item-id' | 'rls-item-id') =>
    values[name] === undefined ? undefined : number(values[name], `--${name}`);

  const permits = new Set<Effect>(['read']);
  if (values['allow-keys'] || values['allow-writes']) permits.add('mint');
  if (values['allow-writes']) permits.add('write');
  if (values.webhook !== undefined) permits.add('act');
  const access: TenantAccess = {
    baseUrl: address(baseUrl, '--base-url'),
    apiBaseUrl: address(from('api-base-url'), '--api-base-url'),
    tenantUrl: address(from('tenant-url'), '--tenant-url'),
    tenantId: number(from('tenant-id'), '--tenant-id'),
    tenancyName: from('tenancy-name'),
    apiKey: required(environment['VITRINE_API_KEY'], 'VITRINE_API_KEY'),
    passPhrase: permits.has('mint') ? required(environment['VITRINE_PASSPHRASE'], 'VITRINE_PASSPHRASE') : '',
  };
  const found = {
    secondTenant: secondTenant(environment, access),
    apiKeyWithoutPermissions: environment['VITRINE_API_KEY_WITHOUT_PERMISSIONS'],
    itemId: id('item-id'),
    otherItemId: id('other-item-id'),
    rlsItemId: id('rls-item-id'),
    roleName: values['role-name'],
    directoryGroupId: values['directory-group-id'],
    actions: values.webhook === undefined ? undefined : readCapturedActions(values.webhook),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return {
    reportFolder,
    target: { ...access, ...known, tenantIdHeader: values['tenant-id-header'], permits },
  };
};
