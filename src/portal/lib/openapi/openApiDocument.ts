import { apiKeyHeader, createEncryptedKeyPath } from '@vitrine/contract/service';
import { auditCauses } from '../audit/auditCauses.ts';
import type { Operation } from '../service/operation.ts';
import { controlPathItems } from './controlPathItems.ts';
import { actionWebhook, mintOperation, reportPathItem } from './embeddingPaths.ts';
import type { JsonObject } from './jsonSchema.ts';
import { createNamedSchemas } from './namedSchemas.ts';
import { operationPathItems } from './operationPathItems.ts';

/** A type of audit event, and its causes. */
export interface DocumentedEvent {
  readonly actionType: string;
  readonly cause: string;
  readonly 'x-provenance': string;
}

/** The OpenAPI 3.1 document, generated from the validation schemas. */
export const openApiDocument = (
  operations: readonly Operation[],
  urls: { readonly baseUrl: string; readonly tenantUrl: string },
): JsonObject => {
  const named = createNamedSchemas();
  const webhooks = { actionTask: actionWebhook(named) };
  const paths = {
    ...operationPathItems(operations, named),
    [createEncryptedKeyPath]: { post: mintOperation(named) },
    '/report/{reportId}': reportPathItem(urls.tenantUrl),
    ...controlPathItems(named),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal',
      version: '1',
      description:
        'Administration, audit log and embedding. `x-provenance` says for each endpoint and field whether the interface defines it, or whether it is our choice or an extension.',
    },
    servers: [{ url: urls.baseUrl }],
    components: {
      schemas: named.schemas,
      securitySchemes: {
        webhookSecret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of an Action Task.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: "The tenant's API key." },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: apiKeyHeader,
          description: '`ApiKey <API_KEY>`.',
        },
      },
    },
    paths,
    webhooks,
    'x-audit-events': Object.entries(auditCauses).map(
      ([actionType, { cause, section }]): DocumentedEvent => ({
        actionType,
        cause,
        'x-provenance': section === undefined ? 'our choice' : `interface ${section}`,
      }),
    ),
  };
};
