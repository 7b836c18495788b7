import { secret } from './samples.ts';

/** A webhook as a web-standard request, with the right token. */
export const webhook = (body: BodyInit, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://host.example/api/embed/webhook', {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });
