import fc from 'fast-check';
import { type Endpoint, endpoints, type Valid } from './endpoints.ts';
import { hostileJson, hostileWord } from './hostileValues.ts';

/** A request to send, and its error. */
export interface GeneratedRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Fields of which an error must name at least one; empty if the error is not in a field. */
  readonly changed: readonly string[];
}

/** Identifiers for path parameters. */
export type IdsByKind = Readonly<Record<'user' | 'unit' | 'item', readonly string[]>>;

/** The ingredients of requests. */
export interface FuzzWorld {
  readonly apiKey: string;
  readonly passPhrase: string;
  readonly tenantId: number;
  /** A report, and a key that opens it. */
  readonly reportId: string;
  readonly reportKey: string;
  readonly own: IdsByKind;
  /** What another tenant owns. */
  readonly foreign: IdsByKind;
  /** Every identifier of another tenant; none contains the marker of that tenant's data. */
  readonly foreignIds: readonly (string | number)[];
}

const encoder = new TextEncoder();
let numbered = 0;

const fill = (text: string, world: FuzzWorld): string =>
  text
    .replaceAll('{n}', () => String(++numbered).padStart(12, '0'))
    .replaceAll('{passPhrase}', world.passPhrase)
    .replaceAll('{key}', () => encodeURIComponent(world.reportKey));

/** Every field of a body that can be invalid: its own, and those of `value` in CreateEncryptedKey. */
const fieldsOf = (body: Readonly<Record<string, Valid>>): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    name === 'value' ? ['value', ...Object.keys(value).map((inner) => `value.${inner}`)] : [name],
  );

const objectText = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

/** JSON text of a body with other texts for some fields; `undefined` omits a field. */
const bodyText = (
  body: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, string | undefined>>,
  prefix = '',
): string =>
  objectText(
    Object.entries(body).flatMap(([name, value]): (readonly [string, string])[] => {
      const field = `${prefix}${name}`;
      if (field in changes) return changes[field] === undefined ? [] : [[name, changes[field]]];
      const isOuter = name === 'value' && typeof value === 'object' && value !== null;
      return [
        [
          name,
          isOuter ? bodyText(value as Record<string, unknown>, changes, 'value.') : JSON.stringify(value),
        ],
      ];
    }),
  );

const changesOf = (
  names: readonly string[],
  values: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, string | undefined>> =>
  names.length === 0
    ? fc.constant({})
    : fc.dictionary(fc.constantFrom(...names), fc.option(values, { nil: undefined, freq: 6 }), {
        maxKeys: 2,
        noNullPrototype: true,
      });

type Authority = 'own' | 'none' | 'unknown' | 'other scheme' | 'garbage';

const authorityHeaders = (
  endpoint: Endpoint,
  authority: Authority,
  world: FuzzWorld,
): Record<string, string> => {
  const scheme = endpoint.isOfReport ? 'ReportKey' : endpoint.isMint ? 'ApiKey' : 'Bearer';
  const secret = endpoint.isOfReport ? world.reportKey : world.apiKey;
  const texts = {
    own: `${scheme} ${secret}`,
    none: '',
    unknown: `${scheme} not-a-key`,
    'other scheme': `Basic ${secret}`,
    garbage: `${scheme} ${scheme} \u00e4 ,;="`,
  };
  return authority === 'none' ? {} : { authorization: texts[authority] };
};

const mediaTypes = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json;;;=',
];

/** Corrupts the bytes of a whole body. */
const brokenBytes = (
  body: Uint8Array,
  how: 'cut' | 'not UTF-8' | 'BOM' | 'empty' | 'large' | 'twice',
): Uint8Array => {
  switch (how) {
    case 'cut':
      return body.slice(0, Math.max(1, Math.floor(body.length * 0.7)));
    case 'not UTF-8':
      return Uint8Array.from([...body.slice(0, -1), 0xff, 0xfe, 0x7d]);
    case 'BOM':
      return Uint8Array.from([0xef, 0xbb, 0xbf, ...body]);
    case 'empty':
      return new Uint8Array();
    case 'large':
      return new Uint8Array(1_100_000).fill(0x20);
    case 'twice':
      return Uint8Array.from([...body, ...body]);
  }
};

/** A value in one of that many requests, otherwise none. */
const rarely = <TValue>(values: fc.Arbitrary<TValue>, oneIn: number): fc.Arbitrary<TValue | null> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });

/** Requests to one endpoint. */
const requestTo = (endpoint: Endpoint, world: FuzzWorld): fc.Arbitrary<GeneratedRequest> => {
  const json = hostileJson(world.foreignIds);
  const word = hostileWord(world.foreignIds);
  const id = (kind: 'user' | 'unit' | 'item') =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...world.own[kind]) },
      { weight: 3, arbitrary: kind === 'item' ? fc.constant(world.reportId) : fc.nat(500).map(String) },
      { weight: 2, arbitrary: fc.constantFrom(...world.foreign[kind]) },
      { weight: 2, arbitrary: word },
    );
  return fc
    .record({
      ids: fc.record({ user: id('user'), unit: id('unit'), item: id('item') }),
      query: changesOf(
        [...Object.keys(endpoint.query ?? {}), ...(endpoint.query ? ['__proto__x', 'x[]'] : [])],
        word,
      ),
      fields: changesOf(fieldsOf(endpoint.body ?? {}), json),
      extra: rarely(
        fc.tuple(fc.constantFrom('__proto__', 'constructor', 'isAdmin', 'id', 'tenantId', ''), json),
        12,
      ),
      authority: fc.oneof(
        { weight: 15, arbitrary: fc.constant<Authority>('own') },
        { weight: 1, arbitrary: fc.constantFrom<Authority>('none', 'unknown', 'other scheme', 'garbage') },
      ),
      tenant: fc.oneof(
        { weight: 10, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: fc.oneof(
            fc.integer().map(String),
            fc.constantFrom('', 'acme', '1e2', '101.0', '0x65', '202'),
          ),
        },
      ),
      mediaType: rarely(fc.constantFrom(...mediaTypes), 20),
      bytes: rarely(fc.constantFrom('cut', 'not UTF-8', 'BOM', 'empty', 'large', 'twice'), 15),
      method: rarely(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'),
        30,
      ),
    })
    .map((parts): GeneratedRequest => {
      const path = endpoint.path.replace(/\{(user|unit|item)\}/, (_all, kind: 'user' | 'unit' | 'item') =>
        encodeURIComponent(parts.ids[kind]),
      );
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...endpoint.query, ...parts.query }))
        if (value !== undefined) query.append(name, value === '{key}' ? world.reportKey : value);
      const text = endpoint.body && fill(bodyText(endpoint.body, parts.fields), world);
      const whole: string | undefined =
        text === undefined || parts.extra === null
          ? text
          : `${text.slice(0, -1)},${JSON.stringify(parts.extra[0])}:${parts.extra[1]}}`;
      const plain = whole === undefined ? undefined : encoder.encode(whole);
      const body = plain && parts.bytes !== null ? brokenBytes(plain, parts.bytes) : plain;
      const isPlain = parts.bytes === null && parts.mediaType === null && parts.method === null;
      return {
        endpoint,
        method: parts.method ?? endpoint.method,
        path: query.size === 0 ? path : `${path}?${query}`,
        headers: {
          ...authorityHeaders(endpoint, parts.authority, world),
          ...(endpoint.isMint && { 'svc.tenantid': parts.tenant ?? String(world.tenantId) }),
          ...(body !== undefined && { 'content-type': parts.mediaType ?? 'application/json' }),
        },
        body,
        changed: isPlain
          ? [
              ...Object.keys(parts.query),
              ...Object.keys(parts.fields),
              ...(parts.extra === null || body === undefined ? [] : [parts.extra[0]]),
              ...(parts.tenant === undefined || !endpoint.isMint ? [] : ['Svc.TenantId']),
            ]
          : [],
      };
    });
};

/** Requests that start as valid ones and get an error: in a field, path, query, credentials, headers or bytes. */
export const generatedRequest = (world: FuzzWorld): fc.Arbitrary<GeneratedRequest> =>
  fc.oneof(...endpoints.map((endpoint) => requestTo(endpoint, world)));
