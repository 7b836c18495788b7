/** One HTTP request, with its body. */
export interface PortalRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** A header's value, by name in any case. */
  header(name: string): string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  readonly body: Buffer;
  /** Address of the sender. */
  readonly ipAddress: string;
  readonly requestId: string;
  /** Name of the tenant whose public origin received the request, if any. */
  readonly tenancyName: string | undefined;
  /** Actual lifetime in milliseconds of a key issued by this request (a fault). */
  readonly endKeyAfterMs?: number;
  /** Facts about the request, for the log. */
  readonly trace: RequestTrace;
}

/** Facts about a request, collected during its handling. */
export interface RequestTrace {
  tenant?: { readonly id: number; readonly tenancyName: string; readonly profile: string };
  /** Notes for developers about the response, shown in the request log. */
  readonly notes: string[];
  /** An unexpected error. */
  error?: unknown;
}

/** One HTTP answer. */
export interface PortalReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A streamed response. */
export interface PortalStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Called after the headers are sent; returns a cleanup function for when the reader disconnects. */
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
