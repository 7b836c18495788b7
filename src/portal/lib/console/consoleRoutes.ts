import { operations } from '../admin/operations.ts';
import { answerAsset, assets } from '../assets/assets.ts';
import { htmlReply, jsonReply, type PortalReply } from '../http/portalReply.ts';
import type { AppRoute } from '../http/respond.ts';
import { documentationPage } from '../openapi/documentationPage.ts';
import { openApiDocument } from '../openapi/openApiDocument.ts';
import { tryOutPage } from '../openapi/tryOutPage.ts';
import type { Services } from '../services.ts';

const consolePage = (services: Services): PortalReply => {
  const files = assets();
  return htmlReply(
    200,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Portal console</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${files.url('console-style.css')}"><script type="module" src="${files.url('console.js')}"></script></head><body class="console"><div id="console"></div></body></html>`,
    {
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        `frame-src ${services.tenantUrl('*')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  );
};

const document = (services: Services) =>
  openApiDocument(operations, { baseUrl: services.apiUrl(), tenantUrl: services.tenantUrl('acme') });

/** The pages on the API's origin: the console and the documentation. */
export const consoleRoutes = (services: Services): readonly AppRoute[] =>
  [
    { path: '/', answer: () => consolePage(services) },
    { path: '/docs', answer: () => documentationPage(document(services)) },
    { path: '/docs/try', answer: () => tryOutPage() },
    { path: '/openapi.json', answer: () => jsonReply(200, document(services)) },
    { path: '/_assets/{version}/{name}', answer: answerAsset },
  ].map((route) => ({ ...route, method: 'GET' }));
