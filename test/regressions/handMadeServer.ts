import { timingSafeEqual } from 'node:crypto';
import express, { type Express } from 'express';

/** How a hand-written receiver compares the token. Both variants have been shipped. */
export type Comparison = 'bytes, once the lengths of the texts agree' | 'memory behind the bytes';

const compare: Record<Comparison, (seen: string, secret: string) => boolean> = {
  'bytes, once the lengths of the texts agree': (seen, secret) =>
    seen.length === secret.length && timingSafeEqual(Buffer.from(seen), Buffer.from(secret)),
  // Short Node buffers share memory, so that this compares it with itself.
  'memory behind the bytes': (seen, secret) =>
    seen.length === secret.length &&
    timingSafeEqual(new Uint8Array(Buffer.from(seen).buffer), new Uint8Array(Buffer.from(secret).buffer)),
};

/** The control: a hand-written webhook receiver, behind the usual parser with its usual limit. */
export const createHandMadeReceiver = (secret: string, comparison: Comparison): Express => {
  const app = express();
  app.post('/', express.json(), (request, response) => {
    const token = request.get('authorization')?.replace('Bearer ', '') ?? '';
    response.sendStatus(compare[comparison](token, secret) ? 202 : 401);
  });
  return app;
};

/** The control: an endpoint that counts requests by the address that they claim. */
export const createHandMadeLimit = (points: number): Express => {
  const app = express();
  app.set('trust proxy', true);
  const seen = new Map<string | undefined, number>();
  app.post('/api/embed/keys', ({ ip }, response) => {
    const count = (seen.get(ip) ?? 0) + 1;
    seen.set(ip, count);
    response.sendStatus(count > points ? 429 : 200);
  });
  return app;
};
