import type { MintedKey, PortalConnection } from '@vitrine/portal-client';
import type { HostAnswer } from '../http/hostExchange.ts';
import { privateHeaders } from '../http/privateHeaders.ts';

const mostMarginMs = 30_000;

/** Taken off a key's life before it is handed on, for the clocks and the way: a tenth, and thirty seconds at most. */
export const keyMarginMs = (lifetimeMs: number): number => Math.min(mostMarginMs, lifetimeMs / 10);

/** A key as it is kept and shared: all of its answer is written already but what is left of its life. */
export interface ReadyKey {
  readonly expiresAtMs: number;
  readonly attempts: number;
  /** JSON up to the value of `lifetimeMs`, ASCII only. Holds the key. */
  readonly head: string;
}

/** Writes what is the same in every answer with this key. */
export const readyKey = (
  { tenantUrl }: Pick<PortalConnection, 'tenantUrl'>,
  itemId: number,
  { key, expiresAt, expiresAtMs, attempts }: MintedKey,
): ReadyKey => {
  // Written by hand, because a key is long and has nothing to escape: no quote, no backslash, visible ASCII alone.
  const head = `{"itemId":${itemId},"key":"${key}","tenantUrl":${JSON.stringify(tenantUrl)},"expiresAt":"${expiresAt}","lifetimeMs":`;
  return { expiresAtMs, attempts, head };
};

/** The successful answer of `POST {endpoint}/keys` (contract: `EmbedKey`). */
export const embedKeyAnswer = (ready: ReadyKey, lifetimeMs: number, nowMs: number): HostAnswer => {
  // No key has more left than its whole life, whatever became of the clock since it was asked for.
  const leftMs = Math.floor(Math.min(ready.expiresAtMs - nowMs, lifetimeMs) - keyMarginMs(lifetimeMs));
  const body = `${ready.head}${leftMs}}`;
  return {
    status: 200,
    headers: {
      ...privateHeaders,
      'Content-Type': 'application/json',
      // One byte for each character: the key was checked to be visible ASCII, and a parsed URL is nothing else.
      'Content-Length': String(body.length),
    },
    body,
    isAscii: true,
  };
};
