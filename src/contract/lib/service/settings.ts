/** How a setting is called where an error is shown: in code, in the environment, or on the command line. */
export type Voice = 'option' | 'variable' | 'flag';

interface SettingNames {
  readonly option: string;
  /** Default: as `option`. */
  readonly variable?: string;
  /** Default: as `variable`. */
  readonly flag?: string;
}

/** Each setting that a message names. */
export const settings = {
  tenantUrl: { option: 'tenantUrl', variable: 'VITRINE_TENANT_URL' },
  apiBaseUrl: { option: 'apiBaseUrl', variable: 'VITRINE_API_BASE_URL' },
  baseUrl: { option: 'baseUrl', variable: 'VITRINE_BASE_URL', flag: '--base-url' },
  tenantId: { option: 'tenantId', variable: 'VITRINE_TENANT_ID' },
  tenancyName: { option: 'tenancyName', variable: 'VITRINE_TENANCY_NAME' },
  tenantIdHeader: { option: 'tenantIdHeader', variable: 'VITRINE_TENANT_ID_HEADER' },
  apiKey: { option: 'apiKey', variable: 'VITRINE_API_KEY', flag: 'VITRINE_API_KEY (--api-key-file)' },
  passPhrase: { option: 'passPhrase', variable: 'VITRINE_PASSPHRASE' },
  keyLifetime: {
    option: 'keyLifetime',
    variable: 'keyLifetime in the host (the doctor asks for 45 minutes)',
    flag: '--lifetime',
  },
  userId: { option: 'the userId that viewer() returns', variable: '--user' },
  roleNames: { option: 'the roleNames that viewer() returns', variable: '--role' },
  itemId: { option: 'the item ID', variable: '--item' },
  dispatcher: { option: 'dispatcher', variable: 'upstream.dispatcher' },
  timeoutMs: { option: 'timeoutMs', flag: '--timeout' },
  readOnly: { option: 'readOnly', flag: '--read-only' },
  maxResponseBytes: {
    option: 'maxResponseBytes',
    flag: 'a limit of your own, in a program with createPortalClient()',
  },
  adapt: { option: 'adapt', variable: 'a function adapt, in a program with createPortalClient()' },
  planSync: { option: 'planSync', flag: '`vitrine sync plan --out`' },
  columns: { option: 'the option columns', flag: '--map' },
  source: { option: 'the option source', flag: '--source' },
  encoding: { option: 'the option encoding', flag: '--encoding' },
  allowEmpty: { option: 'allowEmpty', flag: '--allow-empty' },
  maxRemovals: { option: 'maxRemovals', flag: '--max-removals' },
  maxRemovalPercent: { option: 'maxRemovalPercent', flag: '--max-removal-percent' },
} as const satisfies Readonly<Record<string, SettingNames>>;

/** What a setting is called. `names` has other names, where more is known about it. */
export const settingName = (
  setting: string,
  voice: Voice,
  names: Readonly<Record<string, string>> = {},
): string => {
  const known = new Map<string, SettingNames>(Object.entries(settings)).get(setting) ?? { option: setting };
  const { option, variable = option, flag = variable } = known;
  return new Map(Object.entries(names)).get(setting) ?? { option, variable, flag }[voice];
};
