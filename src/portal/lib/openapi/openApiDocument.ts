import { apiKeyHeader, createEncryptedKeyPath } from '@vitrine/contract/service';
import { controlPrefix, routes } from '../control/routes.ts';
import type { Services } from '../services.ts';
import { actionWebhook, mintOperation, reportPathItem } from './embeddingPaths.ts';
import { createSchemas, type JsonObject } from './jsonSchema.ts';
import { pathsOf } from './routeOperations.ts';

const about = {
  version: '1',
  contact: { name: 'Vitrine', url: 'https://github.com/vitrine-embed/vitrine' },
  license: { name: 'MIT', identifier: 'MIT' },
};

const toTags = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, description]) => ({ name, description }));

const securitySchemes = {
  webhookSecret: { type: 'http', scheme: 'bearer', description: 'The secret of an Action Task.' },
  bearer: { type: 'http', scheme: 'bearer', description: "The tenant's API key." },
  apiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader, description: '`ApiKey <API_KEY>`.' },
};

const serviceTags = {
  Users: 'The users of a tenant.',
  Roles: 'The roles of users, items and keys.',
  'Organizational units': 'The hierarchy of units, and their synchronization with the identity directory.',
  'Items, tasks, links': 'Imported content, automated actions, and the links that open reports.',
  'Audit log': 'Administrative events.',
  Embedding: 'Keys for one viewer and one report, and the page that they open.',
  Webhooks: 'What the service sends.',
};
const controlTags = {
  'One tenant': 'What the console edits.',
  'The whole portal': 'Tenants, clock, faults, logs and state.',
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
      ...about,
      title: 'Portal',
      description: `Administration, audit log and embedding. Send the API key as \`Authorization: Bearer …\` to administration and audit log, and as \`${apiKeyHeader}: ApiKey …\` to the embedding endpoint. \`x-provenance\` says of each endpoint and field whether the interface defines it, with its section, or whether it is our choice. The schemas validate every request.`,
    },
    servers: [{ url: services.apiUrl() }],
    components: { schemas, securitySchemes },
    tags: toTags(serviceTags),
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
      ...about,
      title: "The portal's control interface",
      description:
        'For programs, tests and the console of this development portal; no part of the service. Below a tenant it also has every endpoint of `/v1`, without an API key.',
    },
    servers: [{ url: services.apiUrl() }],
    components: { schemas },
    tags: toTags(controlTags),
    paths,
  };
};
