import type { EmbedKey } from '@vitrine/contract';
import type { MintedKey, PortalConnection } from '@vitrine/portal-client';
import type { HostAnswer } from '../http/hostExchange.ts';
import { privateHeaders } from '../http/privateHeaders.ts';

const mostMarginMs = 30_000;

/** Taken off a key's life before it is handed on, for the clocks and the way: a tenth, and thirty seconds at most. */
export const keyMarginMs = (lifetimeMs: number): number => Math.min(mostMarginMs, lifetimeMs / 10);

/** The successful answer of `POST {endpoint}/keys`. */
export const embedKeyAnswer = (
  connection: PortalConnection,
  itemId: number,
  { minted, lifetimeMs, nowMs }: { minted: MintedKey; lifetimeMs: number; nowMs: number },
): HostAnswer => {
  const embedKey: EmbedKey = {
    itemId,
    key: minted.key,
    tenantUrl: connection.tenantUrl,
    lifetimeMs: Math.floor(minted.expiresAtMs - keyMarginMs(lifetimeMs) - nowMs),
    expiresAt: minted.expiresAt,
  };
  const body = JSON.stringify(embedKey);
  return {
    status: 200,
    headers: {
      ...privateHeaders,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
};
