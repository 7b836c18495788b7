import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { clickBody, clickRow, secret } from './support/samples.ts';
import { startDispatch } from './support/startDispatch.ts';
import { webhook } from './support/webhook.ts';

describe('an event', () => {
  const parsed = async (body: unknown, receivedAtMs = Date.parse('2026-11-20T08:00:00Z')) => {
    const seen = Promise.withResolvers<unknown>();
    const { deliver } = startDispatch((event) => seen.resolve(event));
    await deliver(body, receivedAtMs);
    return seen.promise;
  };
  const { metadata, visualData } = clickBody();

  it.each([
    ['{metadata, visualData}', { metadata, visualData }],
    ['the array under another name', { metadata, selection: visualData }],
    ['metadata under another name', { info: metadata, visualData }],
    ['metadata flat at the top', { ...metadata, visualData }],
    ['[metadata, ...visuals]', [metadata, ...visualData]],
    ['[metadata, visuals]', [metadata, visualData]],
  ])('parses %s', async (_, body) => {
    expect(await parsed(body)).toMatchObject({
      reportId: metadata.reportId,
      visual: 'sales-by-region',
      rows: [clickRow],
      isUnparsed: false,
    });
  });

  it.each([
    ['an object', {}],
    ['an object whose toString is not a function', { toString: 1 }],
    ['nothing', null],
    ['a number', 5],
  ])('uses only strings and numbers as visual names, also when a portal sends %s', async (_, odd) => {
    const { visualName: _named, ...unnamed } = metadata;
    const name = odd === 5 ? '5' : 'sales-by-region';
    expect(await parsed({ metadata, visualData: [{ visual: odd, data: [] }] })).toMatchObject({
      visual: 'sales-by-region',
      visuals: [{ visual: name }],
    });
    expect(await parsed({ metadata: unnamed, visualData: [{ visual: odd, data: [] }] })).toMatchObject({
      visual: odd === 5 ? '5' : '',
    });
  });

  it.each([
    ['gzip', gzipSync, 'gzip'],
    ['gzip whose header a proxy removed', gzipSync, undefined],
    ['deflate', deflateSync, 'deflate'],
    ['zstd', zstdCompressSync, 'zstd'],
    ['a body that a proxy decompressed without removing the header', (bytes: Buffer) => bytes, 'gzip'],
  ])('is read from %s, and stored as it was sent', async (_, pack, encoding) => {
    const seen = Promise.withResolvers<unknown>();
    const { actions, inbox } = startDispatch((event) => seen.resolve(event));
    const raw = pack(Buffer.from(JSON.stringify({ metadata, visualData })));
    await actions.receive(
      webhook(new Uint8Array(raw), {
        authorization: `Bearer ${secret}`,
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      }),
    );
    expect(await seen.promise).toMatchObject({ reportName: 'Sales by region' });
    expect((await inbox.list({ limit: 1 })).map((stored) => Buffer.from(stored.raw))).toEqual([raw]);
  });

  it.each([
    [
      'is compressed in another way',
      (text: string) => brotliCompressSync(text),
      /has a byte at \d+ that is not utf-8/,
    ],
    ['ends too early', (text: string) => gzipSync(text).subarray(0, 40), /looks compressed, and does not/],
    [
      'has 60 MiB when it is read',
      () => zstdCompressSync(Buffer.alloc(60 * 1024 * 1024, ' ')),
      /does not decompress to at most 32 MiB/,
    ],
  ])('is parked when its body %s, with what shows it', async (_, pack, message) => {
    const { inbox, next } = startDispatch(() => undefined);
    const parked = next('parked');
    const raw = pack(JSON.stringify({ metadata, visualData }));
    await inbox.append({ raw, receivedAtMs: Date.now() });
    expect(await parked).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('is parked when its bytes are not JSON', async () => {
    const { inbox, next } = startDispatch(() => undefined);
    const parked = next('parked');
    await inbox.append({ raw: Buffer.from('{"half'), receivedAtMs: Date.now() });
    expect(await parked).toMatchObject({
      message:
        'Action 1 is parked: The body (6 bytes, content type unknown) is not JSON. See `vitrine actions list 1`.',
    });
  });
});
