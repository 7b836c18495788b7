import { apiKeyHeader, createEncryptedKeyPath } from '@vitrine/contract/service';
import { controlPrefix, routes } from '../control/routes.ts';
import type { Services } from '../services.ts';
import { actionWebhook, mintOperation, reportPathItem } from './embeddingPaths.ts';
import { createSchemas, type JsonObject } from './jsonSchema.ts';
import { pathsOf } from './routeOperations.ts';

const contact = { name: 'Vitrine', url: 'https://github.com/vitrine-embed/vitrine' };

/** The headings of a document's operations, in their order. */
const tagsOf = (...paths: readonly JsonObject[]): readonly JsonObject[] => {
  const operations = paths.flatMap((items) =>
    Object.values(items).flatMap(
      (item) => Object.values(item as JsonObject) as { readonly tags?: string[] }[],
    ),
  );
  return [...new Set(operations.flatMap(({ tags = [] }) => tags))].map((name) => ({ name }));
};

const securitySchemes = {
  webhookSecret: { type: 'http', scheme: 'bearer', description: 'The secret of an Action Task.' },
  bearer: { type: 'http', scheme: 'bearer', description: "The tenant's API key." },
  apiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader, description: '`ApiKey <API_KEY>`.' },
};

/** The OpenAPI 3.1 document of the service, generated from the validation schemas. */
export const serviceDocument = (services: Services): JsonObject => {
  const { schemas, name } = createSchemas();
  const ofService = routes.filter(({ scope }) => scope === 'service');
  const webhooks = { actionTask: actionWebhook(name) };
  const paths = {
    ...pathsOf(ofService, '', name),
    [createEncryptedKeyPath]: { post: mintOperation(name) },
    '/report/{reportId}': reportPathItem(services.tenantUrl('{tenant}')),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal',
      version: '1',
      contact,
      description: `Administration, audit log and embedding. Send the API key as \`Authorization: Bearer …\` to administration and audit log, and as \`${apiKeyHeader}: ApiKey …\` to the embedding endpoint. \`x-provenance\` says of each endpoint and field whether the interface defines it, with its section, or whether it is our choice. The schemas validate every request.`,
    },
    servers: [{ url: services.apiUrl() }],
    components: { schemas, securitySchemes },
    tags: tagsOf(paths, webhooks),
    paths,
    webhooks,
  };
};

/** The OpenAPI 3.1 document of the control interface, for development and tests: no part of the service. */
export const controlDocument = (services: Services): JsonObject => {
  const { schemas, name } = createSchemas();
  const ofControl = routes.filter(({ scope }) => scope !== 'service');
  const paths = pathsOf(ofControl, controlPrefix, name);
  return {
    openapi: '3.1.0',
    info: {
      title: "The portal's control interface",
      version: '1',
      contact,
      description:
        'For programs, tests and the console of this development portal; no part of the service. Below a tenant it also has every endpoint of `/v1`, without an API key.',
    },
    servers: [{ url: services.apiUrl() }],
    components: { schemas },
    tags: tagsOf(paths),
    paths,
  };
};
