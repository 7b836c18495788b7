/** One HTTP answer. */
export interface PortalReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
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

/** The Content-Security-Policy of a page that only loads files of the portal. */
export const pagePolicy = (frameAncestors = "'none'"): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; '),
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
