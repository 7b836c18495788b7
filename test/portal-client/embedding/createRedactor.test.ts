import { createRedactor, Secret } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { fc } from '../../support/fc.ts';
import { findCanary } from '../../support/findCanary.ts';

const secret = 'Zq83nVb2Lw0x+/=ü tR9';
const redact = createRedactor([new Secret(secret)]);

describe('createRedactor()', () => {
  it('does not change ordinary words', () => {
    expect(redact('Passphrase is wrong for tenant "acme" (code 17).')).toBe(
      'Passphrase is wrong for tenant "acme" (code 17).',
    );
  });

  it('masks the secret in every encoding', () => {
    for (const written of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(`x${secret}`).toString('base64'),
      Buffer.from(`xy${secret}`).toString('base64url'),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('hex').toUpperCase(),
      secret.slice(3, 12),
      secret.toUpperCase(),
      secret.toLowerCase(),
      encodeURIComponent(secret).toLowerCase(),
      new URLSearchParams({ p: secret }).toString(),
      new URLSearchParams({ p: secret }).toString().toUpperCase(),
      Buffer.from(secret.toUpperCase()).toString('base64'),
      Buffer.from(secret.toLowerCase()).toString('base64'),
    ]) {
      const shown = redact(`got ${written} instead`);
      for (let at = 0; at + 8 <= written.length; at += 1)
        expect(shown).not.toContain(written.slice(at, at + 8));
      expect(findCanary(shown, secret)).toBeUndefined();
      expect(shown).toContain('***');
    }
  });

  it('masks exactly the secret after letters that are longer in lower case', () => {
    expect(redact(`İİİ got ${secret} instead`)).toBe('İİİ got *** instead');
  });

  it('masks a secret at the beginning', () => {
    expect(redact(`${secret} is wrong`)).toBe('*** is wrong');
  });

  it('masks the secret with every escape syntax', () => {
    const html = (text: string) =>
      text.replace(
        /[&<>"'+=/]/g,
        (letter) => ({ '&': '&amp;', '"': '&quot;' })[letter] ?? `&#${letter.charCodeAt(0)};`,
      );
    const units = (text: string) =>
      text.replace(/[^]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const json = (text: string) => text.replace(/[^\w ]/g, units);
    const phrases = [
      secret,
      "Tom&Jerry's-2026",
      '$Pa ss"phräse&=<Phrase>',
      'ab&c"d',
      'correct horse battery staple',
    ];
    for (const phrase of phrases) {
      for (const written of [
        html(phrase),
        html(phrase).toUpperCase().replaceAll('&AMP;', '&amp;').replaceAll('&QUOT;', '&quot;'),
        json(phrase),
        units(phrase),
        html(json(phrase)),
        json(html(phrase)),
        encodeURIComponent(html(phrase)),
        new URLSearchParams([['', phrase]]).toString().slice(1),
        Buffer.from(phrase).toString('hex'),
        Buffer.from(phrase).toString('base64'),
        phrase.normalize('NFD'),
        phrase.replaceAll(' ', '\n'),
        phrase.replace(/[^\w]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        phrase.replace(/[^\w]/g, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`),
      ])
        expect(createRedactor([phrase])(`got ${written} instead`)).toBe('got *** instead');
      expect(createRedactor([phrase.normalize('NFD')])(`got ${phrase} instead`)).toBe('got *** instead');
    }
  });

  it('masks the shortest fragment at the end, short secrets, adjacent secrets as one, and three layers of escapes', () => {
    expect(createRedactor(['Zq83nVb2'])('got Zq83nVb2')).toBe('got ***');
    expect(createRedactor(['Zq83nVb'])('got Zq83nVb')).toBe('got ***');
    for (const cased of ['zq83nvb2lw0x', 'ZQ83NVB2LW0X'])
      expect(createRedactor(['Zq83nVb2Lw0x'])(`got ${Buffer.from(cased).toString('base64')}`)).toBe(
        'got ***',
      );
    expect(createRedactor([''])('got nothing')).toBe('got nothing');
    expect(createRedactor(['a b&c'])('got a+b%26c')).toBe('got ***');
    expect(createRedactor(['a\nb'])('got "a\\nb"')).toBe('got "***"');
    expect(createRedactor(['Zq83nVb2', 'Lw0xTr9k'])('got Zq83nVb2Lw0xTr9k')).toBe('got ***');
    const encoded = encodeURIComponent('ab&c"d');
    const further = [1, 2, 3].reduce((text) => encodeURIComponent(text), encoded);
    expect(createRedactor(['ab&c"d'])(`got ${further}`)).toBe('got ***');
  });

  it('masks a secret that the length limit cuts, tokens of 32 characters, and credentials of six', () => {
    const before = 'ab '.repeat(98);
    expect(redact(before + secret)).toBe(`${before}***`);
    expect(redact(`got ${'t'.repeat(31)} and ${'t'.repeat(32)}`)).toBe(`got ${'t'.repeat(31)} and ***`);
    expect(redact('sent Bearer abc.d, Bearer abc.d3')).toBe('sent Bearer abc.d, Bearer ***');
  });

  it('keeps escapes and JavaScript readable when there is no secret', () => {
    for (const text of [
      'Tom &amp; Jerry &#39;s',
      'C:\\users\\x41',
      'value?.trim is not a function',
      'Option "apiKey" begins with the scheme of the header',
      '100 % of %zz and &#99999999;',
    ])
      expect(redact(text)).toBe(text);
  });

  it('keeps identifiers readable, because operators search for them', () => {
    const guid = '09cdf20d-7062-8886-9290-a66f6b3f8817';
    expect(redact(`item ${guid}`)).toBe(`item ${guid}`);
    expect(redact(`key Q${guid} or ${guid}Q`)).toBe('key *** or ***');
  });

  it('masks queries, long tokens and line breaks, and stops after 300 characters', () => {
    const shown = redact(
      `GET https://a.example/report/1?ev=abc%2B token ${'Q'.repeat(64)}\r\nSet-Cookie: x ${'word '.repeat(200)}`,
    );
    expect(shown).not.toContain('ev=');
    expect(shown).not.toContain('QQQQ');
    expect(shown).not.toMatch(/[\r\n]/);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(redact(' GET /report/1?ev=abc%2B:\r\nno ')).toBe('GET /report/1?*** no');
  });

  it('reads at most four times the text that it shows', () => {
    expect(redact(`GET /?${'q'.repeat(1100)} end`)).toBe('GET /?*** end');
    expect(redact(`GET /?${'q'.repeat(1200)} end`)).toBe('GET /?***');
  });

  it.each([
    ['sent Bearer abc.d3f, got 401', 'sent Bearer ***, got 401'],
    ['sent {"x-api-key":"abc.d3f"}', 'sent {"x-api-key":"***"}'],
    ['ApiKey abc.d3f; ApiKey is invalid', 'ApiKey ***; ApiKey is invalid'],
    ['api-key=abc.d3f, api-key: abc.d3f, api-key : abc.d3f', 'api-key=***, api-key: ***, api-key : ***'],
    ['sent Bearer  abc.d3f', 'sent Bearer  ***'],
    ['no route to postgres://u:p@55@host/db', 'no route to postgres://***@host/db'],
    [
      'mail to ann@acme.example, see https://acme.example/a',
      'mail to ann@acme.example, see https://acme.example/a',
    ],
  ])('masks credentials of other services, and nothing else: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('masks every fragment of eight characters, wherever the secret is', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        fc.nat(12),
        (before, after, cut) => {
          const shown = redact(before + secret.slice(cut) + after + secret);
          expect(findCanary(shown, secret)).toBeUndefined();
        },
      ),
    );
  });
});
