import { type Check, mints } from '../check.ts';
import { type CheckContext, type MintRequest, mintPath } from '../createContext.ts';
import { describeAnswer, must, need } from '../difference.ts';
import { type Fields, isFields, mustRefuse, mustSucceed, unwrap } from '../readers.ts';

/** The rows of the request body. */
const bodyRows = [
  '| value.userId | string | yes | Identity of the viewing user; passed to the BI platform and used by DAX functions such as USERNAME() and USERPRINCIPALNAME() for dynamic RLS |',
  '| value.reportId | number | yes | Item ID of the report to embed |',
  '| value.roleNames | array of string | no | RLS roles applied to the session |',
  '| value.expiration | string, ISO 8601 timestamp | no | Expiry of the encrypted key; when omitted a platform default applies |',
  "| passPhrase | string | yes | The Tenant's secret passphrase (<TENANT_PASSPHRASE>) |",
  '| tenancyName | string | yes | Tenant subdomain name |',
];
const [userIdRow = '', reportIdRow = '', roleNamesRow = '', expirationRow = '', ...secretRows] = bodyRows;
const keyHeader = '| Authorization | ApiKey <API_KEY> |';
const tenantHeader = '| Svc.TenantId | Numeric ID of the Tenant that scopes the request |';
const verifies =
  'Behavior: the service verifies the API key and passphrase, obtains an embed token for the BI platform with the RLS context, and returns the encrypted key.';

const withKey = (text: string | undefined): MintRequest => ({ headers: { Authorization: text } });

const withField = (name: string, value: unknown): MintRequest => {
  const [, inner] = /^value\.(.*)/.exec(name) ?? [];
  return inner === undefined ? { body: { [name]: value } } : { value: { [inner]: value } };
};

/** A value of another type than the row states. */
const mistyped = (type: string): unknown => {
  if (type.includes('timestamp')) return 'soon';
  if (type === 'number') return 'sales';
  return type === 'string' ? 7 : [7];
};

type Refusal = readonly [
  title: string,
  quote: string,
  requests: (context: CheckContext) => readonly MintRequest[] | Promise<readonly MintRequest[]>,
];

/** Requests that the service must refuse. */
const refusals: readonly Refusal[] = [
  ...bodyRows.flatMap((row): readonly Refusal[] => {
    const [, name = '', type = '', required] = row.split('|').map((cell) => cell.trim());
    return [
      [`when ${name} is of another type`, row, () => [withField(name, mistyped(type))]],
      ...(required === 'yes' ? [[`without ${name}`, row, () => [withField(name, undefined)]] as const] : []),
    ];
  }),
  ['without the Authorization header', 'Required headers:', () => [withKey(undefined)]],
  [
    'without the tenant ID header',
    tenantHeader,
    ({ target }) => [{ headers: { [target.tenantIdHeader]: undefined } }],
  ],
  [
    'without Content-Type application/json',
    '| Content-Type | application/json |',
    () => ['text/plain', undefined].map((type) => ({ headers: { 'Content-Type': type } })),
  ],
  ['with an API key that does not exist', keyHeader, () => [withKey('ApiKey not-a-key-of-this-tenant')]],
  [
    'with the API key under another scheme',
    keyHeader,
    ({ target: { apiKey } }) => [`Bearer ${apiKey}`, `Basic ${apiKey}`, apiKey].map(withKey),
  ],
  [
    'with an API key that lacks the two permissions',
    'The API key must hold the permissions Administration.ItemLinks.BiItems and Administration.BiReports.Create.',
    ({ target: { apiKeyWithoutPermissions: key } }) => {
      need(key !== undefined, 'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)');
      return [withKey(`ApiKey ${key}`)];
    },
  ],
  [
    'with a wrong passphrase',
    verifies,
    ({ target: { passPhrase } }) =>
      ['not the passphrase', '', passPhrase.slice(0, -1), `${passPhrase} `].map((text) =>
        withField('passPhrase', text),
      ),
  ],
  [
    'with the ID of another tenant',
    tenantHeader,
    ({ target }) =>
      [String(target.secondTenant?.tenantId ?? target.tenantId + 1), 'acme', '0', '-1'].map((id) => ({
        headers: { [target.tenantIdHeader]: id },
      })),
  ],
  [
    'with the name of another tenant',
    secretRows.at(-1) ?? '',
    ({ target, unique }) => [withField('tenancyName', target.secondTenant?.tenancyName ?? unique('nobody'))],
  ],
  [
    'with the API key of another tenant',
    tenantHeader,
    ({ secondTenant }) => [withKey(`ApiKey ${secondTenant().apiKey}`)],
  ],
  [
    'for the report of another tenant',
    reportIdRow,
    async ({ admin, secondTenant }) => {
      const { text } = await admin('GET', '/v1/items', { tenant: secondTenant() });
      const ids = [...text.matchAll(/"id": ?(\d+)/g)];
      need(ids.length > 0, 'needs an item of the second tenant');
      return ids.map(([, id]) => withField('value.reportId', Number(id)));
    },
  ],
  ['for an item that does not exist', reportIdRow, () => [withField('value.reportId', 2_147_480_000)]],
  [
    'under a path with a version',
    '9: The encrypted key endpoint has no version segment in its path.',
    ({ target }) => [{ tenant: { ...target, apiBaseUrl: `${target.apiBaseUrl.replace(/\/+$/, '')}/v1` } }],
  ],
];

/** A key that expires in some minutes. */
const lasting = (minutes: number): Fields => ({
  expiration: new Date(Date.now() + minutes * 60_000).toISOString(),
});

const envelope =
  '7: The encrypted key endpoint answers with an envelope holding success (boolean) and error (null on success).';

export const keyChecks: readonly Check[] = [
  mints(
    '4.6 CreateEncryptedKey is a POST and returns an envelope: result.key, success true, error null',
    [
      'POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey.',
      'Response body: an envelope with result (object with key: string, the encrypted key), success (boolean) and error (null on success).',
      verifies,
      '5: | Encrypted key endpoint | Authorization header with scheme ApiKey and the key; Svc.TenantId header; passPhrase and tenancyName in the body; the key needs the permissions listed in 4.6 |',
      envelope,
    ],
    async ({ admin, mint, target }) => {
      const answer = await mint();
      const { result, success, error }: Fields = { ...Object(answer.json) };
      must(isFields(result), 'an envelope with a result', describeAnswer(answer));
      must(typeof result['key'] === 'string' && result['key'] !== '', 'a key', typeof result['key']);
      must(success === true, 'success true', success);
      must(error === null, 'error null', error);
      const read = await admin('GET', mintPath, {
        authorization: `ApiKey ${target.apiKey}`,
        headers: { [target.tenantIdHeader]: String(target.tenantId) },
        tenant: { ...target, baseUrl: target.apiBaseUrl },
      });
      mustRefuse(read, 'a GET');
    },
  ),
  mints(
    '4.6 value.roleNames and value.expiration are accepted, and not required',
    [
      roleNamesRow,
      expirationRow,
      '2.2: RLS role codes are the values used in roleNames when creating an encrypted key',
      '8: | Recommended key lifetime | 30 to 60 minutes for external-facing applications (advice, not enforced) | encrypted key expiration |',
    ],
    async ({ mint, mintKey, itemId, openReport, rls }) => {
      for (const minutes of [2, 180])
        mustSucceed(await mint({ value: lasting(minutes) }), `${minutes} minutes`);
      const { itemId: rlsItemId, roleName } = await rls();
      mustSucceed(
        await mint({ value: { reportId: rlsItemId, roleNames: [roleName], ...lasting(60) } }),
        'both',
      );
      for (const reportId of [await itemId(), rlsItemId])
        for (const roleNames of [undefined, []]) {
          const key = await mintKey({ value: { reportId, roleNames } });
          mustSucceed(await openReport(reportId, key), `report ${reportId} opened without roles`);
        }
    },
  ),
  mints('4.6 every key is for its own user: two users get two keys', [userIdRow], async ({ mintKey }) => {
    const keys = [
      await mintKey({ value: { userId: 'first@viewer.example' } }),
      await mintKey({ value: { userId: 'second@viewer.example' } }),
    ];
    must(keys[0] !== keys[1], 'different keys', 'the same key twice');
  }),
  ...refusals.map(([title, quote, requests]) =>
    mints(`4.6 CreateEncryptedKey ${title} is refused`, [quote], async (context) => {
      for (const request of await requests(context)) {
        const answer = await context.mint(request);
        mustRefuse(answer, `a request ${title}`);
        const result = unwrap(answer.json);
        must(!isFields(result) || !('key' in result), 'no key', answer.status);
      }
    }),
  ),
  mints(
    '7 a refusal of CreateEncryptedKey is an envelope with success false and an error',
    [envelope],
    async ({ mint, target }) => {
      for (const request of [
        withField('passPhrase', 'not the passphrase'),
        withField('value.userId', undefined),
        withKey('ApiKey not-a-key-of-this-tenant'),
        { headers: { [target.tenantIdHeader]: undefined } },
      ]) {
        const answer = await mint(request);
        const { success, error = null }: Fields = { ...Object(answer.json) };
        must(success === false && error !== null, 'success false and an error', describeAnswer(answer));
      }
    },
  ),
];
