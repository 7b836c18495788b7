import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { WebhookRequest, WebhookResponse } from '@vitrine/server';
import type { ActionsContext } from '../actionsContext.ts';
import type { ActionsOptions } from '../actionsOptions.ts';
import type { NewDelivery } from '../inbox/actionInbox.ts';
import { decompress, excessOf } from '../parse/readBody.ts';
import { withTimeout } from '../withTimeout.ts';
import { createByteBudget } from './createByteBudget.ts';
import { createSourceCheck } from './createSourceCheck.ts';
import { createTokenCheck } from './createTokenCheck.ts';

const mebibyte = 1024 * 1024;
/** Assumed size of a body of unknown length. */
const commonBytes = 65_536;
/** Grace period for bodies still arriving at the end. */
const graceForBodiesMs = 1000;
const pollMs = 20;
/** Requests sent before the sender noticed the shutdown arrive within this time. */
const quietMs = 100;
/** Accepting a connection and reading its first bytes are two turns of the event loop. */
const turns = 3;

/** Waits, and then for some turns of the event loop: after a stall, timers run before arrived data is read. */
const quiet = async (): Promise<void> => {
  await wait(quietMs);
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
};

const answer = (
  status: WebhookResponse['status'],
  headers: WebhookResponse['headers'] = {},
): WebhookResponse => ({
  status,
  headers: { 'content-length': '0', 'cache-control': 'no-store', ...headers },
});
const closeConnection = { connection: 'close' } as const;

/**
 * Creates the receiver of Action Task webhooks (docs/interface.md#6.1). The sender never retries, so only the token is
 * checked: the bytes are stored durably, then acknowledged, and parsed later.
 */
export const createActionReceiver = (
  { inbox, onDiagnostic, now }: ActionsContext,
  options: ActionsOptions & { readonly secrets: () => readonly unknown[] },
) => {
  const { bodyTimeoutMs = 10_000, maxBodyBytes = 5 * mebibyte } = options;
  const checkToken = createTokenCheck(options.secrets, options.secretPolicy, (reason, isLastKnown) =>
    onDiagnostic({ kind: 'secrets-unavailable', reason, isLastKnown }),
  );
  const isAllowedSource = createSourceCheck(options.allowedSources);
  const budget = createByteBudget(options.maxBytesInFlight ?? 64 * mebibyte);
  const state = { phase: 'open' as 'open' | 'draining' | 'closed', arrivals: 0, inFlight: 0 };

  const readInTime = (request: WebhookRequest) =>
    withTimeout({ what: 'The body', timeoutMs: bodyTimeoutMs }, () =>
      request.readBody(maxBodyBytes).catch((error: unknown) => ({ kind: 'failed', error }) as const),
    ).catch(() => ({ kind: 'slow' }) as const);

  const tooLarge = (): WebhookResponse => {
    onDiagnostic({ kind: 'rejected', reason: 'too-large', limitBytes: maxBodyBytes });
    return answer(413, closeConnection);
  };
  /** Rejects a body that could block or end the process when it is parsed. */
  const rejectExcess = (body: Pick<NewDelivery, 'raw' | 'encoding'>): WebhookResponse | undefined => {
    const expanded = decompress(body, maxBodyBytes);
    if (expanded === undefined) return tooLarge();
    const excess = excessOf(expanded);
    if (excess === undefined) return undefined;
    onDiagnostic({ kind: 'rejected', reason: 'too-complex', excess });
    return answer(413);
  };
  const storeBody = async (request: WebhookRequest): Promise<WebhookResponse> => {
    const body = await readInTime(request);
    switch (body.kind) {
      case 'failed':
        throw body.error;
      case 'too-large':
        return tooLarge();
      case 'slow':
        onDiagnostic({ kind: 'rejected', reason: 'slow', limitMs: bodyTimeoutMs });
        return answer(408, closeConnection);
      case 'aborted':
        onDiagnostic({ kind: 'rejected', reason: 'aborted' });
        return answer(503);
      case 'read': {
        if (body.wasParsed) onDiagnostic({ kind: 'body-parsed-before' });
        const { bytes: raw, isReserialized } = body;
        const encoding = isReserialized ? undefined : request.header('content-encoding');
        const rejection = rejectExcess({ raw, encoding });
        if (rejection) return rejection;
        await inbox.append({ raw, receivedAtMs: now(), source: request.source, encoding, isReserialized });
        return answer(202, state.phase === 'open' ? {} : closeConnection);
      }
    }
  };
  const store = async (request: WebhookRequest): Promise<WebhookResponse> => {
    const declared = Number(request.header('content-length') ?? Number.NaN);
    if (declared > maxBodyBytes) return tooLarge();
    const bytes = Number.isNaN(declared) ? commonBytes : declared;
    state.inFlight += 1;
    await budget.reserve(bytes);
    try {
      return await storeBody(request);
    } catch (error) {
      onDiagnostic({ kind: 'unstored', error });
      return answer(503, { 'retry-after': '1', ...(state.phase !== 'open' && closeConnection) });
    } finally {
      budget.release(bytes);
      state.inFlight -= 1;
    }
  };

  return {
    async receive(request: WebhookRequest): Promise<WebhookResponse> {
      const { source } = request;
      if (request.method !== 'POST') return answer(405, { allow: 'POST' });
      if (state.phase === 'closed') return answer(503, closeConnection);
      state.arrivals += 1;
      if (!isAllowedSource(source)) {
        onDiagnostic({ kind: 'rejected', reason: 'source', source });
        return answer(403, closeConnection);
      }
      const authorization = request.header('authorization');
      const tokenState = checkToken(authorization);
      if (tokenState === 'right') return store(request);
      const isMissing = authorization === undefined;
      const reason = tokenState === 'wrong' ? 'token' : 'secrets';
      onDiagnostic({ kind: 'rejected', reason, source, isMissing });
      if (tokenState === 'unknown') return answer(503, { 'retry-after': '10', ...closeConnection });
      return answer(401, { 'www-authenticate': 'Bearer', ...closeConnection });
    },
    /** Asks senders to close their connections, in the responses to further deliveries. */
    askToDisconnect(): void {
      state.phase = 'draining';
    },
    /** Resolves when no requests arrive for a moment, at the latest at a time of `performance.now()`. */
    async untilQuiet(endMs: number): Promise<void> {
      for (let seen = -1; seen !== state.arrivals || state.inFlight > 0; ) {
        if (performance.now() >= endMs) break;
        seen = state.arrivals;
        await quiet();
      }
    },
    /** Rejects new requests with 503; started ones have a second to finish. */
    async stop(): Promise<void> {
      state.phase = 'closed';
      const lastMs = performance.now() + graceForBodiesMs;
      while (state.inFlight > 0 && performance.now() < lastMs) await wait(pollMs);
    },
  };
};
