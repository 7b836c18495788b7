/** One HTTP request, read and bounded. */
export interface PortalRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** A header's value by any case of its name. */
  header(name: string): string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  readonly body: Buffer;
  /** Address of the sender. */
  readonly ipAddress: string;
  readonly requestId: string;
  /** Name of the tenant on whose public origin the request came, if it came on one. */
  readonly tenancyName: string | undefined;
  /** A key minted by this request ends after so many milliseconds, whatever it says (a fault). */
  readonly endKeyAfterMs?: number;
  /** What is learned about the request while it is answered, for the log. */
  readonly trace: RequestTrace;
}

/** What is learned about a request while it is answered. */
export interface RequestTrace {
  tenant?: { readonly id: number; readonly tenancyName: string; readonly profile: string };
  /** What a developer should know about the answer, shown in the request log. */
  readonly notes: string[];
  /** An error nobody expected. */
  error?: unknown;
}

/** One HTTP answer. */
export interface PortalReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** An answer that keeps its connection and writes as things happen. */
export interface PortalStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once the head is sent; returns what to do when the reader leaves. */
  readonly open: (write: (text: string) => void) => () => void;
}

/** A JSON answer. */
export const jsonReply = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): PortalReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});

/** An answer without a body. */
export const emptyReply = (status: number, headers: Readonly<Record<string, string>> = {}): PortalReply => ({
  status,
  headers,
  body: '',
});

/** An HTML page. */
export const htmlReply = (
  status: number,
  html: string,
  headers: Readonly<Record<string, string>> = {},
): PortalReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...headers,
  },
  body: html,
});
