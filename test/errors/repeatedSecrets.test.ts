import { inspect } from 'node:util';
import { createPortalClient, type PortalClientOptions, PortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { envelopeOf } from '../support/standInPortal.ts';
import { type Handler, type Reply, serve } from '../sync/support/serve.ts';

const apiKey = 'k3y+Secret/Key=="pi';
const passPhrase = 'my passphrase "is" sécret/+&\\x';

const start = async (handler: Handler, options: Partial<PortalClientOptions> = {}) => {
  const { baseUrl } = await serve(handler);
  const connection = { tenantUrl: baseUrl, apiBaseUrl: baseUrl, tenantId: 7, tenancyName: 'acme' };
  const embedding = { ...connection, apiKey, passPhrase };
  const client = createPortalClient({ embedding, maxRetries: 0, ...options });
  onTestFinished(() => client.close());
  return client;
};
type Client = Awaited<ReturnType<typeof start>>;

/** Everything that a log could show of the error of a call. */
const shownBy = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PortalError);
  const { message, hint, stack, ...fields } = error as PortalError;
  const explained = (error as PortalError).explain('variable');
  return [message, hint, stack, inspect(fields, { depth: 9 }), inspect(explained)].join('\n');
};

const inHtml = (text: string): string =>
  text.replaceAll(/[&<>"'+é]/g, (one) => (one === '&' ? '&amp;' : `&#${one.codePointAt(0)};`));

const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  new URLSearchParams({ of: secret }).toString().slice(3),
  Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&'),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  encodeURIComponent(encodeURIComponent(secret)),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  inHtml(secret),
  inHtml(inHtml(secret)),
  secret.replaceAll(' ', ' \n'),
  secret.normalize('NFD'),
  encodeURIComponent(secret.normalize('NFD')),
];

const isFound = (shown: string, forms: readonly string[]): boolean =>
  forms.some((form) => shown.includes(form) || shown.replaceAll(/\\(["\\])/g, '$1').includes(form));

const places: readonly (readonly [string, (text: string) => Reply])[] = [
  ['a member of a response', (text) => ({ body: { [text]: { [text]: 1 } } })],
  ['a member after 30 characters', (text) => ({ body: { [`${'a '.repeat(15)}${text}`]: 1 } })],
  ['a member of an error', (text) => ({ status: 400, body: { [text]: { of: 1 } } })],
  ['a message', (text) => ({ status: 400, body: { error: { message: `of ${text}`, code: text } } })],
  ['a field', (text) => ({ status: 422, body: { title: 'No.', errors: { [text]: [text] } } })],
  [
    'an ID of the request',
    (text) => ({ status: 400, body: {}, headers: { 'x-request-id': encodeURI(text) } }),
  ],
];
const calls: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['one row', (client) => client.users.get(7)],
  ['a list', (client) => Array.fromAsync(client.users.list())],
  ['a key', (client) => client.embeddedKeys.create({ itemId: 1, userId: 'u', lifetimeMs: 60_000 })],
];

describe.each(calls)('an error of a call for %s', (_call, call) => {
  it.each(places)('shows neither API key nor passphrase, in any form, of %s', async (_place, replyOf) => {
    let text = '';
    const client = await start(() => replyOf(text));
    for (const secret of [apiKey, passPhrase])
      for (const form of formsOf(secret)) {
        text = form;
        expect(isFound(await shownBy(call(client)), formsOf(secret))).toBe(false);
      }
  });

  it('control: the same check finds a text that is no secret', async () => {
    const client = await start(() => ({ status: 400, body: { message: 'of t/ext "x"' } }));
    expect(isFound(await shownBy(call(client)), formsOf('t/ext "x"'))).toBe(true);
  });
});

it('masks what the portal said, and no word of ours, though a secret is one', async () => {
  const secret = { apiKey: 'portal', passPhrase: 'status' };
  const { baseUrl } = await serve(() => ({ status: 500, body: { status: { of: 1 }, portal: null } }));
  const connection = { tenantUrl: baseUrl, apiBaseUrl: baseUrl, tenantId: 7, tenancyName: 'words' };
  const client = createPortalClient({ embedding: { ...connection, ...secret }, maxRetries: 0 });
  onTestFinished(() => client.close());
  await expect(
    client.embeddedKeys.create({ itemId: 1, userId: 'u', lifetimeMs: 60_000 }),
  ).rejects.toMatchObject({
    message: 'The portal responded with status 500 and a body of an unknown shape: { ***, *** }.',
  });
});

describe('after a rotation', () => {
  const former = 'former-secret/1+=';
  const other = 'another-secret/3+=';
  const message = `former ${former}, now new-secret/2+=, another ${other}`;

  it('an error shows no API key that the client used before', async () => {
    const keys = [former, 'new-secret/2+='];
    const client = await start(() => ({ status: 400, body: { message } }), {
      apiKey: () => keys.shift() ?? 'new-secret/2+=',
    });
    await shownBy(client.users.get(1));
    const shown = await shownBy(client.users.get(1));
    expect(shown).toContain(`former ***, now ***, another ${other}`);
  });

  it('an error shows no passphrase that another client used for the same tenant', async () => {
    const { baseUrl } = await serve(() => ({ status: 400, body: { message } }));
    const connection = { tenantUrl: baseUrl, apiBaseUrl: baseUrl, tenantId: 7, tenancyName: 'acme', apiKey };
    for (const secret of [former, 'new-secret/2+=']) {
      const client = createPortalClient({ embedding: { ...connection, passPhrase: secret }, maxRetries: 0 });
      onTestFinished(() => client.close());
      const [, , [, create] = []] = calls;
      const shown = await shownBy(create?.(client) ?? Promise.resolve());
      expect(shown.includes(former)).toBe(false);
      expect(shown).toContain(other);
    }
  });
});

it('an error shows no value of a header that the host sends, such as the key of a gateway', async () => {
  const subscription = 'gateway-key-0123';
  const client = await start(({ headers }) => ({ status: 403, body: { message: JSON.stringify(headers) } }), {
    headers: { 'Ocp-Apim-Subscription-Key': subscription },
  });
  const shown = await shownBy(client.users.get(1));
  expect(shown).toContain('"ocp-apim-subscription-key":"***"');
  expect(shown).not.toContain(subscription);
});

describe('a message of a megabyte', () => {
  it.each([
    ['in one word', 'A'],
    ['of backslashes', '\\'],
    ['of the words that advice looks for', 'tenant '],
    ['of characters escaped in HTML', '&amp;'],
  ])('does not hold up the process: %s', async (_, part) => {
    const message = part.repeat(1_000_000 / part.length);
    const client = await start(() => ({ status: 500, body: { message } }));
    expect((await shownBy(client.users.get(1))).length).toBeLessThan(10_000);
  });

  it('is understood by its first hundred errors', async () => {
    const members = Array.from({ length: 2000 }, (_, index) => `field${index}`);
    const error = { message: 'No.', validationErrors: [{ members, message: Array(20).fill('is wrong') }] };
    const client = await start(() => ({ status: 400, body: { success: false, error } }));
    const refusal: unknown = await client.users.get(1).catch((thrown: unknown) => thrown);
    expect((refusal as PortalError).validationErrors).toHaveLength(100);
  });

  it('is no obstacle as a key in a refusal: neither the key nor an error of another kind is shown', async () => {
    const key = 'k3y/'.repeat(20_000);
    const body = { success: false, result: { key }, error: { message: `Not for ${key}` } };
    const client = await start(() => ({ status: 500, body }));
    expect(await shownBy(client.users.get(1))).not.toContain('k3y/k3y/');
  });
});

describe('a key that was issued', () => {
  it.each(['0d9f2c44-6b1e-4f0e-9a57-3c1b8e2f7a10', 'dGhpcyBpcyBhIGtleSE+/w==', 'eyJhbGciOi.Jub25l.fQ7x'])(
    'is not shown by a later error: %s',
    async (key) => {
      let reply: Reply = { body: envelopeOf(key) };
      const client = await start(() => reply);
      const create = () => client.embeddedKeys.create({ itemId: 1, userId: 'u', lifetimeMs: 60_000 });
      // The control: it looks like the ID of something, so it is shown before it is known.
      reply = { status: 400, body: { message: `The key ${key} was refused.` } };
      expect(await shownBy(create())).toContain(key);
      reply = { body: envelopeOf(key) };
      await create();
      const escaped = Array.from(key, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
        '',
      );
      const html = Array.from(key, (one) => `&#x${one.charCodeAt(0).toString(16)};`).join('');
      const base64 = Buffer.from(key).toString('base64');
      const folded = key.replaceAll(/.{8}(?=.)/g, '$&\r\n');
      const inUrl = encodeURIComponent(key);
      for (const form of [
        key,
        inUrl,
        inUrl.replaceAll(/%../g, (escape) => escape.toLowerCase()),
        encodeURIComponent(inUrl),
        escaped,
        key.replaceAll('/', '\\/'),
        html,
        base64,
        folded,
      ]) {
        reply = { status: 400, body: { message: `The key ${form} of the report was refused.` } };
        const shown = await shownBy(create());
        const isPlain = form === key || form === inUrl;
        expect(shown).toContain(isPlain ? 'The key *** of the report was refused' : ' "***".');
      }
    },
  );
});
