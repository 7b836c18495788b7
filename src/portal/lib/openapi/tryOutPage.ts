import { assets } from '../assets/assets.ts';
import { htmlReply, type PortalReply } from '../http/portalReply.ts';

/** The interactive documentation: Swagger UI, self-hosted, signed in with the development key. */
export const tryOutPage = (): PortalReply => {
  const files = assets();
  return htmlReply(
    200,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Try the portal API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${files.url('swagger-ui.css')}"></head><body><p style="margin:12px 20px;font:14px system-ui,sans-serif"><a href="/docs">Documentation</a> · <a href="/">Console</a></p><div id="api"></div><script src="${files.url('swagger-ui.js')}"></script><script type="module" src="${files.url('try-out.js')}"></script></body></html>`,
    {
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  );
};
