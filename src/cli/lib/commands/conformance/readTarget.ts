import { resolve } from 'node:path';
import type { Effect, Target, TenantAccess } from '@vitrine/conformance';
import { tenantIdHeader as tenantHeader } from '@vitrine/contract/service';
import { dashed } from '../../output/dashed.ts';
import { seenAddress } from '../../output/seenAddress.ts';
import { UsageError } from '../../output/usageError.ts';
import { textOption } from '../../program/readOptions.ts';
import { readCapturedActions } from './readCapturedActions.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Options = Readonly<Record<string, unknown>>;

const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value === '')
    throw new UsageError(
      `${name} is ${value === '' ? 'empty' : 'not set'}. Set it in the environment, or in a file with --env.`,
    );
  return value;
};

const number = (value: string, name: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new UsageError(`${name} is ${JSON.stringify(value)}. Use a whole number, such as 101.`);
  return Number(value);
};

const address = (value: string, name: string): string => {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new UsageError(
      `${name} ${seenAddress(value)}: it is not an http or https address. Use one such as https://portal.example.`,
    );
  return value;
};

const secondTenant = (environment: Environment, shared: TenantAccess): TenantAccess | undefined =>
  !Object.keys(environment).some((name) => name.startsWith('VITRINE_SECOND_'))
    ? undefined
    : {
        ...shared,
        apiKey: required(environment['VITRINE_SECOND_API_KEY'], 'VITRINE_SECOND_API_KEY'),
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

/** Throws if two options that must differ have the same value. */
const requireTwo = (options: Options, [one, other]: readonly [string, string], advice: string): void => {
  if (options[one] !== undefined && options[one] === options[other])
    throw new UsageError(
      `--${dashed(one)} and --${dashed(other)} are both ${JSON.stringify(options[one])}. ${advice}`,
    );
};

const optionOf = (variable: string) =>
  `--${variable.replace('VITRINE_', '').toLowerCase().replaceAll('_', '-')} (or ${variable})`;

/**
 * Reads the service to check from the options and the environment; `undefined` if neither has one. Throws a
 * {@link UsageError} that contains no secret.
 */
export const readTarget = (options: Options, env: Environment, cwd: string): Target | undefined => {
  const baseUrl = textOption(options, 'baseUrl') ?? env['VITRINE_BASE_URL'];
  if (baseUrl === undefined) return undefined;
  const from = (name: string, variable: string) =>
    required(textOption(options, name) ?? env[variable], optionOf(variable));
  const id = (name: string, flag: string) => {
    const text = textOption(options, name);
    return text === undefined ? undefined : number(text, flag);
  };
  const webhook = textOption(options, 'webhook');

  const permits = new Set<Effect>(['read']);
  if (options['allowKeys'] === true || options['allowWrites'] === true) permits.add('mint');
  if (options['allowWrites'] === true) permits.add('write');
  if (webhook !== undefined) permits.add('act');
  const access: TenantAccess = {
    baseUrl: address(baseUrl, optionOf('VITRINE_BASE_URL')),
    apiBaseUrl: address(from('apiBaseUrl', 'VITRINE_API_BASE_URL'), optionOf('VITRINE_API_BASE_URL')),
    tenantUrl: address(from('tenantUrl', 'VITRINE_TENANT_URL'), optionOf('VITRINE_TENANT_URL')),
    tenantId: number(from('tenantId', 'VITRINE_TENANT_ID'), optionOf('VITRINE_TENANT_ID')),
    tenancyName: from('tenancyName', 'VITRINE_TENANCY_NAME'),
    apiKey: required(env['VITRINE_API_KEY'], 'VITRINE_API_KEY'),
    passPhrase: permits.has('mint') ? required(env['VITRINE_PASSPHRASE'], 'VITRINE_PASSPHRASE') : '',
  };
  const found = {
    secondTenant: secondTenant(env, access),
    apiKeyWithoutPermissions: env['VITRINE_API_KEY_WITHOUT_PERMISSIONS'],
    itemId: id('itemId', '--item-id'),
    otherItemId: id('otherItemId', '--other-item-id'),
    rlsItemId: id('rlsItemId', '--rls-item-id'),
    roleName: textOption(options, 'roleName'),
    otherRoleName: textOption(options, 'otherRoleName'),
    viewer: textOption(options, 'viewer'),
    directoryGroupId: textOption(options, 'directoryGroupId'),
    actions: webhook === undefined ? undefined : readCapturedActions(resolve(cwd, webhook)),
  };
  requireTwo(found, ['itemId', 'otherItemId'], 'Name two reports.');
  requireTwo(found, ['roleName', 'otherRoleName'], 'Name two roles with different rows.');
  if (found.secondTenant?.tenantId === access.tenantId)
    throw new UsageError(
      `VITRINE_SECOND_TENANT_ID is ${access.tenantId}, as ${optionOf('VITRINE_TENANT_ID')} is. Name another tenant, or remove the variables VITRINE_SECOND_….`,
    );
  if (found.apiKeyWithoutPermissions === access.apiKey)
    throw new UsageError(
      'VITRINE_API_KEY_WITHOUT_PERMISSIONS is the same key as VITRINE_API_KEY. Use one without permissions, or remove the variable.',
    );
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  const tenantIdHeader = textOption(options, 'tenantIdHeader') ?? tenantHeader;
  return { ...access, ...known, tenantIdHeader, permits };
};
