import {
  type ActionWebhook,
  type ActionWebhookOptions,
  type BodyResult,
  createActionWebhook,
  readNodeBody,
} from '@vitrine/actions';
import type { Request, RequestHandler } from 'express';

/** An Express handler that takes action webhooks, and what its host needs beside it. */
export interface ActionWebhookHandler extends RequestHandler, Pick<ActionWebhook, 'close' | 'health'> {}

/** The bytes a body parser left: its own buffer, a `rawBody` kept by a `verify` hook, or its result written again. */
const parsedBody = (request: Request & { readonly rawBody?: unknown }): BodyResult => {
  const { body, rawBody } = request as { readonly body: unknown; readonly rawBody?: unknown };
  const kept = rawBody ?? body;
  // A parser has unpacked what came packed, so these are then no longer the bytes that were sent.
  if (kept instanceof Uint8Array)
    return { kind: 'read', bytes: kept, isRebuilt: request.get('content-encoding') !== undefined };
  if (typeof kept === 'string') return { kind: 'read', bytes: Buffer.from(kept), isRebuilt: true };
  return { kind: 'read', bytes: Buffer.from(JSON.stringify(body ?? null)), isRebuilt: true };
};

const limited = (result: BodyResult, maxBytes: number): BodyResult =>
  result.kind === 'read' && result.bytes.byteLength > maxBytes ? { kind: 'too-large' } : result;

/**
 * Takes Action Task webhooks (interface 6.1): `app.post('/webhooks/portal', actionWebhook({ secrets, inbox }))`.
 * Mount it before `express.json()`: it works after it too, but bodies that the parser refuses never arrive.
 *
 * @throws VitrineOptionsError, see `createActionWebhook`.
 */
export const actionWebhook = (options: ActionWebhookOptions): ActionWebhookHandler => {
  const webhook = createActionWebhook(options);
  let hasWarned = false;

  const actionWebhookMiddleware: RequestHandler = async (request, response, next) => {
    try {
      const isConsumed = request.readableDidRead;
      if (isConsumed && !hasWarned) {
        hasWarned = true;
        webhook.report({ kind: 'body-parsed-before' });
      }
      const { status, headers } = await webhook.receive({
        method: request.method,
        header: (name) => request.headers[name]?.toString(),
        // Without a trusted proxy `request.ip` is this address, after some reading of headers.
        source: request.app.get('trust proxy') ? request.ip : request.socket.remoteAddress,
        readBody: (maxBytes) =>
          isConsumed
            ? Promise.resolve(limited(parsedBody(request), maxBytes))
            : readNodeBody(request, maxBytes),
      });
      if (!response.destroyed) response.writeHead(status, headers).end();
    } catch (error) {
      next(error);
    }
  };

  return Object.assign(actionWebhookMiddleware, { close: webhook.close, health: webhook.health });
};
