import { type Check, stated } from '../check.ts';
import { must } from '../difference.ts';
import { type Fields, isFields, mustRefuse, unwrap } from '../readers.ts';

/** Throws unless it is a refusal in this endpoint's envelope, without a key. */
export const mustRefuseKey = (answer: Parameters<typeof mustRefuse>[0], what: string): void => {
  mustRefuse(answer, what);
  const result = unwrap(answer.json);
  must(!isFields(result) || typeof result['key'] !== 'string', `no key for ${what}`, answer.status);
};

const required: readonly (readonly [
  name: string,
  row: string,
  request: { value?: Fields; body?: Fields },
])[] = [
  ['value.userId', '| value.userId | string | yes |', { value: { userId: undefined } }],
  ['value.reportId', '| value.reportId | number | yes |', { value: { reportId: undefined } }],
  ['passPhrase', '| passPhrase | string | yes |', { body: { passPhrase: undefined } }],
  ['tenancyName', '| tenancyName | string | yes |', { body: { tenancyName: undefined } }],
];

const mistyped: readonly (readonly [
  name: string,
  row: string,
  request: { value?: Fields; body?: Fields },
])[] = [
  ['value.userId is a number', '| value.userId | string |', { value: { userId: 7 } }],
  [
    'value.reportId is text',
    "2.4: the report is identified by the service's own Item ID: a number in the embedding request",
    { value: { reportId: 'sales' } },
  ],
  [
    'value.roleNames is text',
    '| value.roleNames | array of string | no |',
    { value: { roleNames: 'north' } },
  ],
  [
    'value.roleNames holds a number',
    '| value.roleNames | array of string | no |',
    { value: { roleNames: [7] } },
  ],
  [
    'value.expiration is not a timestamp',
    '| value.expiration | string, ISO 8601 timestamp | no |',
    { value: { expiration: 'soon' } },
  ],
];

export const embeddingFieldChecks: readonly Check[] = [
  ...required.map(([name, quote, change]) =>
    stated('4.6', `CreateEncryptedKey without ${name} is refused`, {
      effect: 'mint',
      quotes: [quote],
      run: async ({ mint }) => mustRefuseKey(await mint(change), `a request without ${name}`),
    }),
  ),
  ...mistyped.map(([what, quote, change]) =>
    stated('4.6', `CreateEncryptedKey is refused when ${what}`, {
      effect: 'mint',
      quotes: [quote],
      run: async ({ mint }) => mustRefuseKey(await mint(change), `a request in which ${what}`),
    }),
  ),
];
