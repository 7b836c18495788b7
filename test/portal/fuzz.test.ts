import { Agent, request } from 'node:http';
import { createPortal, defaultSeed, type Portal, type PortalSeed, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Breakage, startBrokenService } from '../conformance/controls/startBrokenService.ts';
import { fc } from '../support/fc.ts';
import { sized } from '../support/size.ts';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey } from './mint.ts';

/** A value that the portal accepts for a field; `{n}` becomes twelve unique digits. */
type Valid = string | number | readonly unknown[] | { readonly [name: string]: unknown };

/** An endpoint with a valid request. */
interface Endpoint {
  readonly method: string;
  /** `{user}`, `{unit}` and `{item}` stand for identifiers. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, Valid>>;
  /** Sent to the tenant's public origin with the key of a report. */
  readonly isOfReport?: boolean;
  /** Sent with the headers of CreateEncryptedKey. */
  readonly isMint?: boolean;
}

const paging = { page: '1', pageSize: '20' };
const guid = '0f9d8a52-8f2b-4c58-9c43-2a1a1f7f0001';

/** Every endpoint of the service, with a valid request each. */
const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/users', query: paging },
  {
    method: 'POST',
    path: '/v1/users',
    body: {
      type: 'UserPass',
      email: 'fuzz-{n}@acme.example',
      firstName: 'First',
      lastName: 'Last',
      roles: ['Viewer'],
      organizationUnits: [],
    },
  },
  { method: 'GET', path: '/v1/users/{user}' },
  {
    method: 'PATCH',
    path: '/v1/users/{user}',
    body: { firstName: 'Other', roles: [], organizationUnits: [] },
  },
  { method: 'DELETE', path: '/v1/users/{user}' },
  { method: 'GET', path: '/v1/roles', query: paging },
  {
    method: 'POST',
    path: '/v1/roles',
    body: { name: 'Role {n}', type: 'RLS', code: 'code-{n}', description: 'Of a generated request' },
  },
  { method: 'GET', path: '/v1/organization-units', query: paging },
  {
    method: 'POST',
    path: '/v1/organization-units',
    body: { name: 'Unit {n}', parentId: 'root', directoryGroupId: guid },
  },
  { method: 'POST', path: '/v1/organization-units/{unit}/sync' },
  { method: 'GET', path: '/v1/items', query: paging },
  {
    method: 'POST',
    path: '/v1/items',
    body: {
      type: 'report',
      workspaceId: guid,
      reportId: '0f9d8a52-8f2b-4c58-9c43-{n}',
      displayName: 'Item {n}',
      roles: [],
      additionalData: [{ type: 'dataset', id: guid, hasRls: false }],
    },
  },
  { method: 'GET', path: '/v1/tasks', query: paging },
  { method: 'GET', path: '/v1/links', query: paging },
  {
    method: 'GET',
    path: '/v1/audit-logs',
    query: { ...paging, userId: '1', actionType: 'UserCreated', dateRange: '2026-01-01/2026-12-31' },
  },
  {
    method: 'POST',
    path: '/api/services/app/ItemLinks/CreateEncryptedKey',
    isMint: true,
    body: {
      value: {
        userId: 'viewer@acme.example',
        reportId: 1042,
        roleNames: ['region-north'],
        expiration: '2099-01-01T00:00:00Z',
      },
      passPhrase: '{passPhrase}',
      tenancyName: 'acme',
    },
  },
  { method: 'GET', path: '/report/{item}', isOfReport: true, query: { ev: '{key}' } },
  {
    method: 'POST',
    path: '/report/{item}/actions',
    isOfReport: true,
    body: { visual: 'revenue-by-region', columns: ['Region'], points: [['North']], filters: [] },
  },
  { method: 'POST', path: '/report/{item}/session', isOfReport: true },
];

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** JSON texts that are unexpected in a field, valid JSON or not. */
const knownTexts: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '-0',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '["Viewer","Viewer"]',
  '[7]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  `"${'x'.repeat(5000)}"`,
  `[${'1,'.repeat(2000)}1]`,
  deep(20, '[', ']'),
  deep(3000, '[', ']'),
  deep(3000, '{"a":', ''),
  `"' or 1=1 --"`,
  '"%00"',
  '"../../etc/passwd"',
  '"2026-02-30T25:61:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"1969-12-31T23:59:59.999-14:00"',
  'undefined',
  'NaN',
  "'single'",
];

/** JSON text of an unsupported value; `foreign` are identifiers of another tenant. */
const hostileJson = (foreign: readonly (string | number)[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...knownTexts),
    fc.constantFrom(...foreign).map((id) => JSON.stringify(id)),
    fc.constantFrom(...foreign).map((id) => JSON.stringify([id])),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
    fc.json({ maxDepth: 3 }),
    fc.double().map((value) => String(value)),
  );

const knownWords: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '201',
  '99999999999999999999',
  'NaN',
  'null',
  '[]',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\0',
  '\r\nx: y',
  "' or 1=1 --",
  '..',
  '../../v1/users',
  '%',
  '%zz',
  '2026-01-01',
  '2026-13-01/2026-01-01',
  '2026-01-01/..',
  '../..',
  '2026-02-01/2026-01-01',
  '-271821-04-19T23:59:59Z/+275760-09-13T00:00:01Z',
  '2026-W01/2026-W02',
  'P1D/2026-01-01',
  'x'.repeat(3000),
];

/** An unsupported value for a path or a query. */
const hostileWord = (foreign: readonly (string | number)[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...knownWords),
    fc.constantFrom(...foreign).map(String),
    fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
    fc.integer().map(String),
  );

/** A request to send, and its error. */
interface GeneratedRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Fields of which an error must name at least one; empty if the error is not in a field. */
  readonly changed: readonly string[];
}

/** Identifiers for path parameters. */
type IdsByKind = Readonly<Record<'user' | 'unit' | 'item', readonly string[]>>;

/** The ingredients of requests. */
interface FuzzWorld {
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
const generatedRequest = (world: FuzzWorld): fc.Arbitrary<GeneratedRequest> =>
  fc.oneof(...endpoints.map((endpoint) => requestTo(endpoint, world)));

/** The response to a generated request. */
interface GeneratedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const timeLimitMs = 20_000;

/** The target of generated requests. */
interface FuzzAddress {
  readonly port: number;
  readonly tenancyName: string;
  readonly agent: Agent;
}

/** Sends a generated request unchanged; resolves to undefined when the portal closed the connection. */
const sendGenerated = (
  { endpoint, method, path, headers, body }: GeneratedRequest,
  { port, tenancyName, agent }: FuzzAddress,
): Promise<GeneratedAnswer | undefined> =>
  new Promise((resolve) => {
    const host = endpoint.isOfReport ? `${tenancyName}.localhost:${port}` : `127.0.0.1:${port}`;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...length, host },
        timeout: timeLimitMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });

/** The rules for every response. */
interface FuzzRules {
  readonly world: FuzzWorld;
  /** A text that occurs in everything another tenant owns, and in no request. */
  readonly mark: string;
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A wrong passphrase or tenant name is a business error, for which CreateEncryptedKey returns 500. */
const mayBeBusinessError = ({ endpoint, body }: GeneratedRequest, world: FuzzWorld): boolean => {
  if (!endpoint.isMint || body === undefined) return false;
  const sent = parse(new TextDecoder().decode(body));
  return isObject(sent) && (sent['passPhrase'] !== world.passPhrase || sent['tenancyName'] !== 'acme');
};

const errorOf = (text: string): Json | undefined => {
  const answer = parse(text);
  return isObject(answer) && isObject(answer['error']) ? answer['error'] : undefined;
};

const membersOf = (error: Json): readonly string[] => {
  const entries = Array.isArray(error['validationErrors']) ? (error['validationErrors'] as Json[]) : [];
  return entries.flatMap(({ members }) => (Array.isArray(members) ? (members as string[]) : []));
};

/** Whether an error names one of the invalid fields; invalid JSON as a whole has none. */
const namesField = ({ changed }: GeneratedRequest, error: Json): boolean =>
  membersOf(error).some((member) => member === 'body' || changed.some((field) => member.startsWith(field)));

const isPage = ({ headers }: GeneratedAnswer): boolean =>
  String(headers['content-type']).startsWith('text/html');

/** Every error in a response; empty if it is correct. */
const checkResponse = (
  request: GeneratedRequest,
  answer: GeneratedAnswer | undefined,
  { world, mark, secrets }: FuzzRules,
): readonly string[] => {
  if (answer === undefined) return ['no answer: the connection was cut'];
  const { status, text } = answer;
  const wrong: string[] = [];
  if (status >= 500 && !(status === 500 && mayBeBusinessError(request, world)))
    wrong.push(`status ${status}`);
  if (text.includes(mark)) wrong.push('data of another tenant');
  if (secrets.some((secret) => text.includes(secret))) wrong.push('a secret');
  if (status < 400 || request.method === 'HEAD' || isPage(answer)) return wrong;
  const error = errorOf(text);
  if (typeof error?.['message'] !== 'string' || error['message'].length < 10)
    wrong.push(`a refusal without a sentence: ${text.slice(0, 200)}`);
  else if ([413, 415].includes(status) && membersOf(error).length === 0)
    wrong.push(`a refusal that names nothing: ${text.slice(0, 300)}`);
  else if ([400, 409].includes(status) && request.changed.length > 0 && !namesField(request, error))
    wrong.push(`a refusal that names none of ${request.changed.join(', ')}: ${text.slice(0, 300)}`);
  return wrong;
};

/** Checks that every generated request is answered by the rules. */
const fuzzProperty = (rules: FuzzRules, address: FuzzAddress) =>
  fc.asyncProperty(generatedRequest(rules.world), async (request) => {
    const wrong = checkResponse(request, await sendGenerated(request, address), rules);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  });

/** Occurs in everything that the other tenant owns. */
const mark = 'Nobody-but-initech';

const initechSeed: PortalSeed['tenants'][number] = {
  tenantId: 303,
  tenancyName: 'initech',
  displayName: `${mark} company`,
  roles: [{ name: `${mark} role`, type: 'RLS', code: `${mark}-code`, rule: { kind: 'all' } }],
  organizationUnits: [{ id: 'top', name: `${mark} unit`, parentId: 'root' }],
  users: [
    {
      type: 'UserPass',
      email: `${mark}@initech.example`,
      firstName: mark,
      lastName: mark,
      roles: [`${mark} role`],
      organizationUnits: ['top'],
    },
  ],
  items: [{ id: 3001, type: 'report', displayName: `${mark} report`, report: 'summary' }],
  tasks: [{ name: `${mark} task`, kind: 'webhook', itemId: 3001, visualNames: [] }],
  slideshows: [{ name: `${mark} screen`, itemId: 3001 }],
};

/** A portal to fuzz, and the data of its other tenant. */
interface FuzzedPortal {
  readonly portal: Portal;
  readonly acme: PortalTenant;
  readonly initech: PortalTenant;
  readonly rules: FuzzRules;
  readonly address: FuzzAddress;
  /** Everything that the other tenant owns, unchanged. */
  readonly otherTenant: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const lists = ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'];

/** Starts a portal with the default tenants and one more that nobody may see. */
const startFuzzedPortal = async (database = ':memory:'): Promise<FuzzedPortal> => {
  const portal = await createPortal({ database, seed: { tenants: [...defaultSeed.tenants, initechSeed] } });
  const acme = portal.tenants.find(({ tenancyName }) => tenancyName === 'acme');
  const other = portal.tenants.find(({ tenancyName }) => tenancyName === 'initech');
  if (acme === undefined || other === undefined) throw new Error('The seed has acme and initech.');
  const ids = async (tenant: PortalTenant, list: string): Promise<string[]> =>
    (await administer(tenant, `GET /v1/${list}`)).body.items.map(({ id }: { id: unknown }) => String(id));
  const idsOf = async (tenant: PortalTenant): Promise<IdsByKind> => ({
    user: await ids(tenant, 'users'),
    unit: await ids(tenant, 'organization-units'),
    item: await ids(tenant, 'items'),
  });
  const foreign = await idsOf(other);
  const world: FuzzWorld = {
    apiKey: acme.apiKey,
    passPhrase: acme.passPhrase,
    tenantId: acme.tenantId,
    reportId: '1042',
    reportKey: await mintKey({ tenant: acme, itemId: 1042, roleNames: ['all-regions'] }),
    own: await idsOf(acme),
    foreign,
    foreignIds: [
      ...foreign.user.map(Number),
      ...foreign.unit,
      ...other.items.flatMap(({ id, guid }) => [id, guid]),
      other.tenantId,
      other.tenancyName,
    ],
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    portal,
    acme,
    initech: other,
    rules: { world, mark, secrets: [acme.apiKey, acme.passPhrase, other.apiKey, other.passPhrase] },
    address: { port: Number(new URL(portal.url).port), tenancyName: 'acme', agent },
    otherTenant: async () =>
      Object.fromEntries(
        await Promise.all(
          lists.map(async (list) => [list, (await administer(other, `GET /v1/${list}`)).body] as const),
        ),
      ),
    close: async () => {
      agent.destroy();
      await portal.close();
    },
  };
};

const [sqlite, postgres] = await testDatabases('fuzz');

describe.each([
  { on: 'SQLite', database: sqlite, requests: sized(200, 50_000) },
  { on: 'Postgres', database: postgres, requests: sized(75, 50_000) },
])('the portal on $on with invalid input', ({ database, requests }) => {
  it.skipIf(database === undefined)(
    `answers ${requests} generated requests without a crash, a leak or an error that names no field`,
    { timeout: sized(120_000, 3_600_000) },
    async () => {
      const { rules, address, otherTenant, acme, close } = await startFuzzedPortal(database?.address);
      onTestFinished(() => database?.drop());
      onTestFinished(close);
      const before = await otherTenant();
      await fc.assert(fuzzProperty(rules, address), { numRuns: requests, endOnFailure: true });
      expect(await otherTenant()).toEqual(before);
      expect({}).not.toHaveProperty('polluted');
      expect((await administer(acme, 'GET /v1/users?pageSize=1')).status).toBe(200);
    },
  );
});

describe('control: generated requests detect a portal that', () => {
  let fuzzed: FuzzedPortal;
  beforeAll(async () => {
    fuzzed = await startFuzzedPortal();
  });
  afterAll(() => fuzzed.close());

  const broken: readonly (readonly [string, RegExp, Breakage])[] = [
    [
      'fails on "__proto__"',
      /status 500/,
      {
        answer: (answer, { body }) => (body?.includes('__proto__') ? { ...answer, status: 500 } : answer),
      },
    ],
    [
      'closes the connection when a body is nested deeply',
      /no answer/,
      {
        answer: (answer, { body }) => {
          if (body?.includes('[[[[[[[[[[')) throw new Error('too deep');
          return answer;
        },
      },
    ],
    [
      'shows the users of another tenant',
      /data of another tenant/,
      {
        answer: async (answer, request, ask) =>
          answer.status === 404 && request.url.includes('/v1/users/')
            ? ask({ ...request, headers: { authorization: `Bearer ${fuzzed.initech.apiKey}` } })
            : answer,
      },
    ],
    [
      'omits the fields of an error',
      /names none of/,
      {
        answer: (answer) => ({
          ...answer,
          text: answer.text.replace(/"validationErrors":\[.*?\](?=,"requestId")/, '"validationErrors":[]'),
        }),
      },
    ],
    [
      'repeats the key in its errors',
      /a secret/,
      {
        answer: (answer, { headers }) =>
          answer.status === 400 ? { ...answer, text: `${answer.text} ${headers['authorization']}` } : answer,
      },
    ],
    [
      'rejects without a message',
      /without a sentence/,
      { answer: (answer) => (answer.status === 404 ? { ...answer, text: '{}' } : answer) },
    ],
  ];

  it.each(broken)('%s', async (_name, complaint, breakage) => {
    const { acme, initech, rules, address } = fuzzed;
    const target = {
      ...acme,
      secondTenant: initech,
      tenantIdHeader: 'Svc.TenantId',
      permits: new Set<never>(),
    };
    const service = await startBrokenService(target, breakage);
    onTestFinished(() => service.close());
    const port = Number(new URL(service.target.baseUrl).port);
    const found = await fc.check(fuzzProperty(rules, { ...address, port }), {
      numRuns: 1500,
      seed: 1,
      endOnFailure: true,
    });
    expect(found.failed).toBe(true);
    expect(String(found.errorInstance)).toMatch(complaint);
  });
});
