import { assets } from '../assets/assets.ts';
import { htmlReply, jsonReply, type PortalReply, pagePolicy } from '../http/portalReply.ts';
import type { AppRoute } from '../http/respond.ts';
import type { Services } from '../services.ts';
import { controlDocument, serviceDocument } from './openApiDocument.ts';

/** The documentation: Swagger UI, self-hosted, signed in with the development key. */
const documentationPage = (document: string): PortalReply => {
  const files = assets();
  return htmlReply(
    200,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Portal API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${files.url('swagger-ui.css')}"></head><body><nav aria-label="Portal" style="margin:12px 20px;font:14px system-ui,sans-serif"><a href="/">Console</a> · <a href="/docs">Service</a> · <a href="/docs/control">Control interface</a> · <a href="${document}">OpenAPI 3.1 document</a></nav><div id="api" data-document="${document}"></div><script src="${files.url('swagger-ui.js')}"></script><script type="module" src="${files.url('try-out.js')}"></script></body></html>`,
    pagePolicy(),
  );
};

/** The two OpenAPI documents, each with its page. */
export const documentationRoutes = (services: Services): readonly AppRoute[] =>
  [
    { path: '/openapi.json', answer: () => jsonReply(200, serviceDocument(services)) },
    { path: '/_control/openapi.json', answer: () => jsonReply(200, controlDocument(services)) },
    { path: '/docs', answer: () => documentationPage('/openapi.json') },
    { path: '/docs/control', answer: () => documentationPage('/_control/openapi.json') },
  ].map((route) => ({ ...route, method: 'GET' }));
