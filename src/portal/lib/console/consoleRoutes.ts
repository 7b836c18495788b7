import { answerAsset } from '../assets/assets.ts';
import { htmlReply, type PortalReply, pagePolicy } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { AppRoute } from '../http/respond.ts';
import type { Services } from '../services.ts';

const consolePage = (services: Services): PortalReply => {
  const files = services.assets();
  return htmlReply(
    200,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="${files.url('console-style.css')}"><script type="module" src="${files.url('console.js')}"></script></head><body class="console"><div id="console"></div></body></html>`,
    pagePolicy({
      'style-src': "'self'",
      // The component looks whether the tenant answers before it shows a report.
      'connect-src': `'self' ${services.tenantUrl('*')}`,
      'frame-src': services.tenantUrl('*'),
    }),
  );
};

/** The pages on the API's origin: the console, and its files. */
export const consoleRoutes = (services: Services): readonly AppRoute[] =>
  [
    { path: '/', answer: () => consolePage(services) },
    { path: '/_assets/{version}/{name}', answer: (request: PortalRequest) => answerAsset(services, request) },
  ].map((route) => ({ ...route, method: 'GET' }));
