/** One POST to a receiver. */
export interface Delivery {
  readonly url: string;
  readonly body: string;
  /** Whole value of the Authorization header. */
  readonly authorization: string | undefined;
}

/** The result of a delivery; only a fault loses one. */
export interface DeliveryResult {
  readonly outcome: 'delivered' | 'failed' | 'lost';
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** Time limit of a receiver's response, in milliseconds. */
const timeoutMs = 10_000;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const { cause } = error;
  // Node's fetch has the socket's error code in `cause`, or a message such as "bad port".
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name;
};

/**
 * Sends a webhook once. A receiver acknowledges with 2xx; nothing is resent (docs/interface.md#6.1). Redirects are not
 * followed, so the secret only goes to the configured address.
 */
export const deliverWebhook = async (delivery: Delivery): Promise<DeliveryResult> => {
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'vitrine-portal',
        ...(delivery.authorization !== undefined && { authorization: delivery.authorization }),
      },
      body: delivery.body,
    });
    await response.body?.cancel();
    return {
      outcome: response.ok ? 'delivered' : 'failed',
      status: response.status,
      error: response.ok ? null : `the receiver responded with ${response.status}`,
      durationMs: durationMs(),
    };
  } catch (error) {
    return { outcome: 'failed', status: null, error: reasonOf(error), durationMs: durationMs() };
  }
};
