/** What a page of a tenant's origin may load, and which origins may frame it. */
export interface PageHeaderOptions {
  /** Sources of `frame-ancestors` from the tenant's configuration. */
  readonly frameAncestors: string;
  readonly hasInlineStyle?: boolean;
}

/** Content-Security-Policy of the pages of a tenant's origin. */
export const pageHeaders = (options: PageHeaderOptions): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${options.hasInlineStyle === true ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${options.frameAncestors}`,
  ].join('; '),
});
