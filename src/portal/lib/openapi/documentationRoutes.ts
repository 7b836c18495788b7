import { createEncryptedKeyPath, embeddingKeyHeader } from '@vitrine/contract/service';
import { controlTable, serviceTable } from '../control/routes.ts';
import { htmlReply, jsonReply, type PortalReply, pagePolicy } from '../http/portalReply.ts';
import type { AppRoute } from '../http/respond.ts';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';
import { actionWebhook, mintOperation } from './embeddingPaths.ts';
import { createSchemas, type JsonObject, responses } from './jsonSchema.ts';
import { pathsOf } from './routeOperations.ts';

const about = {
  version: '1',
  contact: { name: 'Vitrine', url: 'https://github.com/vitrine-embed/vitrine' },
  license: { name: 'MIT', identifier: 'MIT' },
};

const securitySchemes = {
  webhookSecret: { type: 'http', scheme: 'bearer', description: 'The secret of an Action Task.' },
  bearer: { type: 'http', scheme: 'bearer', description: "The tenant's API key." },
  apiKey: { type: 'apiKey', in: 'header', name: embeddingKeyHeader, description: '`ApiKey <API_KEY>`.' },
};

const serviceTags = {
  Users: 'The users of a tenant.',
  Roles: 'The roles of users, items and keys.',
  'Organizational units': 'The hierarchy of units, and their synchronization with the identity directory.',
  'Items, tasks, links': 'Imported content, automated actions, and the links that open reports.',
  'Audit log': 'Administrative events.',
  Embedding: 'Keys for one viewer and one report.',
  Webhooks: 'What the service sends.',
};
const controlTags = {
  'One tenant': 'What the console edits.',
  'The whole portal': 'Tenants, clock, faults, logs and state.',
};

/** The parts of an OpenAPI 3.1 document that both have, generated from the validation schemas. */
const documentOf = (services: Services, routes: readonly Route[], tags: Readonly<Record<string, string>>) => {
  const { schemas, name } = createSchemas();
  const document = {
    openapi: '3.1.0',
    servers: [{ url: services.apiUrl }],
    tags: Object.entries(tags).map(([tag, description]) => ({ name: tag, description })),
    paths: pathsOf(routes, name),
    components: { schemas, responses },
  };
  return { name, document };
};

/** The document of the service. */
const serviceDocument = (services: Services): JsonObject => {
  const { name, document } = documentOf(services, serviceTable, serviceTags);
  return {
    ...document,
    info: {
      ...about,
      title: 'Portal',
      description: `Administration, audit log and embedding. Send the API key as \`Authorization: Bearer …\` to administration and audit log, and as \`${embeddingKeyHeader}: ApiKey …\` to the embedding endpoint. The key that it creates opens \`${services.tenantUrl('<tenancyName>')}/report/<Item ID>?ev=<key>\`, percent-encoded, as the \`src\` of an iframe. \`x-provenance\` says of each endpoint and field whether the interface defines it, with its section, or whether it is our choice. A method that a path does not have gets 405, with those that it has in \`Allow\`. The schemas validate every request.`,
    },
    components: { ...document.components, securitySchemes },
    paths: { ...document.paths, [createEncryptedKeyPath]: { post: mintOperation(name) } },
    webhooks: { actionTask: actionWebhook(name) },
  };
};

/** The document of the control interface, for development and tests: no part of the service. */
const controlDocument = (services: Services): JsonObject => ({
  ...documentOf(services, controlTable, controlTags).document,
  info: {
    ...about,
    title: "The portal's control interface",
    description:
      'For programs, tests and the console of this development portal; no part of the service. Below a tenant it has every endpoint of `/v1`, without an API key.',
  },
});

/** The documentation: Swagger UI, self-hosted, signed in with the development key. */
const documentationPage = (services: Services, document: string): PortalReply => {
  const files = services.assets();
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
    { path: '/docs', answer: () => documentationPage(services, '/openapi.json') },
    { path: '/docs/control', answer: () => documentationPage(services, '/_control/openapi.json') },
  ].map((route) => ({ ...route, method: 'GET' }));
