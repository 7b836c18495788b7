import { connect } from 'node:net';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fc } from '../support/fc.ts';
import { administer } from './administer.ts';

const head = (start: string, ...headers: readonly string[]) => [start, ...headers, '', ''].join('\r\n');

/** Bytes that are not, or barely, a request, by name. */
const brokenHttp: Readonly<Record<string, string>> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'binary noise': '\0\x01\x02\xff\xfe\r\n\r\n',
  'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an unknown method': head('BREW /v1/users HTTP/1.1', 'Host: x'),
  'an unknown version': head('GET /v1/users HTTP/9.9', 'Host: x'),
  'no Host': head('GET /v1/users HTTP/1.1'),
  'two Hosts': head('GET /v1/users HTTP/1.1', 'Host: acme.localhost', 'Host: x'),
  'an invalid Host': head('GET /v1/users HTTP/1.1', 'Host: [::::]:99999'),
  'a path that cannot be decoded': head('GET /v1/users/%E0%A4%A HTTP/1.1', 'Host: x', 'Connection: close'),
  'a path of dots': head('GET /v1/../../etc/passwd HTTP/1.1', 'Host: x', 'Connection: close'),
  'an absolute path': head('GET http://elsewhere.example/v1/users HTTP/1.1', 'Host: x', 'Connection: close'),
  'an asterisk for a path': head('OPTIONS * HTTP/1.1', 'Host: x', 'Connection: close'),
  'a CONNECT': head('CONNECT elsewhere.example:443 HTTP/1.1', 'Host: elsewhere.example:443'),
  'an upgrade to WebSocket': head(
    'GET /v1/users HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
  ),
  'a header without a name': head('GET /v1/users HTTP/1.1', 'Host: x', ': y'),
  'a header of 100,000 characters': head(
    'GET /v1/users HTTP/1.1',
    'Host: x',
    `X-Long: ${'x'.repeat(100_000)}`,
  ),
  '5,000 headers': head(
    'GET /v1/users HTTP/1.1',
    'Host: x',
    ...Array.from({ length: 5000 }, (_, n) => `X-${n}: y`),
  ),
  'an expectation that nobody meets': head(
    'POST /v1/users HTTP/1.1',
    'Host: x',
    'Expect: pigeons',
    'Content-Length: 2',
    'Connection: close',
  ),
  'a negative length': head('POST /v1/users HTTP/1.1', 'Host: x', 'Content-Length: -1'),
  'two lengths': head('POST /v1/users HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'),
  'a length and chunks': head(
    'POST /v1/users HTTP/1.1',
    'Host: x',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
  ),
  'a chunk whose size is not a number': `${head('POST /v1/users HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}pigeon\r\n`,
  'a body that ends too early': `${head('POST /v1/users HTTP/1.1', 'Host: x', 'Content-Length: 100')}{"type":`,
  'a request within a request': `${head('POST /v1/users HTTP/1.1', 'Host: x', 'Content-Length: 4')}abcdGET /v1/users HTTP/1.1\r\n\r\n`,
};

/** Writes bytes to a port, ends the connection, and resolves to the response. */
const writeBytes = (port: number, bytes: string | Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    );
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {
      // A reset is also a response: the portal stopped reading.
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });

describe('the portal with malformed HTTP', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await createPortal();
  });
  afterAll(() => portal.close());

  /** The effects of malformed bytes on the portal; empty if it rejected them and answers other requests as before. */
  const harmOf = async (bytes: string | Uint8Array): Promise<readonly string[]> => {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const answer = await writeBytes(Number(new URL(portal.url).port), bytes);
    const { status } = await administer(tenant, 'GET /v1/users?pageSize=1');
    return [
      ...(/^HTTP\/1\.1 (?:2|5)\d\d/.test(answer) ? [`answered ${answer.slice(0, 60)}`] : []),
      ...(answer.includes('.example') ? ['data of a tenant'] : []),
      ...(status === 200 ? [] : [`a good request is answered ${status} afterward`]),
    ];
  };

  it.each(Object.entries(brokenHttp))('rejects %s and keeps running', async (_name, bytes) => {
    expect(await harmOf(bytes)).toEqual([]);
  });

  it('gives the refusal of a Host that is no URL an ID, as every other response', async () => {
    const answer = await writeBytes(
      Number(new URL(portal.url).port),
      head('GET /v1/users HTTP/1.1', 'Host: [::::]:99999', 'Connection: close'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const [, requestId = 'none'] = /^x-request-id: (\S+)\r$/im.exec(answer) ?? [];
    expect(answer).toContain(`"requestId":"${requestId}"`);
  });

  it('rejects random bytes and keeps running', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc
        .string({ unit: 'binary', maxLength: 80 })
        .map((text) => Buffer.from(`GET /${text} HTTP/1.1\r\n\r\n`)),
      fc
        .string({ unit: 'binary', maxLength: 80 })
        .map((text) => Buffer.from(`GET / HTTP/1.1\r\n${text}\r\n\r\n`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (each) => {
        expect(await harmOf(each)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
