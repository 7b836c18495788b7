import { type Check, mints } from '../check.ts';
import type { CheckContext, MintRequest } from '../createContext.ts';
import { must, need, needed } from '../difference.ts';
import { cellsOf, isText, mustMatch } from '../fieldTypes.ts';
import { isFields, mustRefuse, mustSucceed, unwrap } from '../readers.ts';

const userIdRow =
  '| value.userId | string | yes | Identity of the viewing user; passed to the BI platform and used by DAX functions such as USERNAME() and USERPRINCIPALNAME() for dynamic RLS |';
const reportIdRow = '| value.reportId | number | yes | Item ID of the report to embed |';
const passPhraseRow = "| passPhrase | string | yes | The Tenant's secret passphrase (<TENANT_PASSPHRASE>) |";
const tenancyNameRow = '| tenancyName | string | yes | Tenant subdomain name |';

const tenantHeader = '| Svc.TenantId | Numeric ID of the Tenant that scopes the request |';

const withKey = (text: string | undefined): MintRequest => ({ headers: { Authorization: text } });

const withField = (name: string, value: unknown): MintRequest => {
  const [, inner] = /^value\.(.*)/.exec(name) ?? [];
  return inner === undefined ? { body: { [name]: value } } : { value: { [inner]: value } };
};

type Refusal = readonly [
  title: string,
  quote: string,
  requests: (context: CheckContext) => readonly MintRequest[] | Promise<readonly MintRequest[]>,
];

/** Requests that the service must refuse. */
const refusals: readonly Refusal[] = [
  ...[userIdRow, reportIdRow, passPhraseRow, tenancyNameRow].map((row): Refusal => {
    const [name = ''] = cellsOf(row);
    return [`without ${name}`, row, () => [withField(name, undefined)]];
  }),
  [
    'with an expiration that is not a time',
    '| value.expiration | string, ISO 8601 timestamp | no | Expiry of the encrypted key; when omitted a platform default applies |',
    () => [withField('value.expiration', 'soon')],
  ],
  [
    'without Content-Type application/json',
    '| Content-Type | application/json |',
    () => ['text/plain', undefined].map((type) => ({ headers: { 'Content-Type': type } })),
  ],
  [
    'with another Authorization than ApiKey and the key',
    '| Authorization | ApiKey <API_KEY> |',
    ({ target: { apiKey } }) =>
      [undefined, 'ApiKey not-a-key-of-this-tenant', `Bearer ${apiKey}`, apiKey].map(withKey),
  ],
  [
    'with an API key that lacks the two permissions',
    'The API key must hold the permissions Administration.ItemLinks.BiItems and Administration.BiReports.Create.',
    ({ target: { apiKeyWithoutPermissions: key } }) => [
      withKey(`ApiKey ${needed(key, 'a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)')}`),
    ],
  ],
  [
    'with a wrong passphrase',
    passPhraseRow,
    ({ target: { passPhrase } }) =>
      ['not the passphrase', '', passPhrase.slice(0, -1)].map((text) => withField('passPhrase', text)),
  ],
  [
    'with the ID of another tenant, or without one',
    tenantHeader,
    ({ target: { tenantIdHeader, tenantId, secondTenant } }) =>
      [String(secondTenant?.tenantId ?? tenantId + 1), 'acme', undefined].map((id) => ({
        headers: { [tenantIdHeader]: id },
      })),
  ],
  [
    'with the name of another tenant',
    tenancyNameRow,
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
    async ({ rowsOf, secondTenant }) => {
      const items = await rowsOf('/v1/items', secondTenant());
      need(items.length > 0, 'needs an item of the second tenant');
      return items.map(({ id }) => withField('value.reportId', id));
    },
  ],
  ['for an item that does not exist', reportIdRow, () => [withField('value.reportId', 2_147_480_000)]],
];

const refusalCheck = ([title, quote, requests]: Refusal): Check =>
  mints(`4.6 CreateEncryptedKey ${title} is refused`, quote, async (context) => {
    for (const request of await requests(context)) {
      const answer = await context.mint(request);
      mustRefuse(answer, `a request ${title}`);
      const result = unwrap(answer.json);
      must(!isFields(result) || !('key' in result), 'no key', answer.status);
    }
  });

/** Changes of `value`: a key that expires in some minutes. */
const lasting = (minutes: number) => ({ expiration: new Date(Date.now() + minutes * 60_000).toISOString() });

export const keyChecks: readonly Check[] = [
  mints(
    '4.6 CreateEncryptedKey is a POST and returns an envelope: result.key, success true, error null',
    'Response body: an envelope with result (object with key: string, the encrypted key), success (boolean) and error (null on success).',
    async ({ mint }) => {
      const answer = await mint();
      mustSucceed(answer, 'creating a key');
      mustMatch(answer.json, {
        result: { key: (key) => isText(key) && key !== '' },
        success: (success) => success === true,
        error: (error) => error === null,
      });
    },
  ),
  mints(
    '4.6 value.roleNames and value.expiration are accepted, and not required',
    '| value.roleNames | array of string | no | RLS roles applied to the session |',
    async ({ mint, rlsItemId, roleCodes, target }) => {
      const [reportId, role = (await roleCodes())[0]] = [await rlsItemId(), target.roleName];
      const roleNames = [needed(role, 'an RLS role (--role-name)')];
      for (const value of [{}, { roleNames: [] }, { roleNames }, lasting(2), { roleNames, ...lasting(180) }])
        mustSucceed(await mint({ value: { reportId, ...value } }), `asking with ${JSON.stringify(value)}`);
    },
  ),
  ...refusals.map(refusalCheck),
  mints(
    '7 a refusal of CreateEncryptedKey is an envelope with success false and an error',
    'The encrypted key endpoint answers with an envelope holding success (boolean) and error (null on success).',
    async ({ mint }) => {
      const { json } = await mint(withField('passPhrase', 'not the passphrase'));
      mustMatch(json, { success: (success) => success === false, error: (error) => error !== null });
    },
  ),
];
