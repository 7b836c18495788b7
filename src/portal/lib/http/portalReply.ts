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

/** The Content-Security-Policy of a page that only loads files of the portal, apart from its `own` directives. */
export const pagePolicy = (own: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const directives = Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...own,
  });
  return { 'content-security-policy': directives.map((directive) => directive.join(' ')).join('; ') };
};

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
