import { z } from 'zod';
import { auditActionTypes } from '../auditTypes.ts';
import type { Route } from '../route.ts';
import { examples } from './examples.ts';
import {
  type JsonObject,
  type JsonSchema,
  json,
  type NameSchema,
  refusals,
  schemaOf,
  validationErrors,
} from './jsonSchema.ts';

const restError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    validationErrors: validationErrors.optional(),
    requestId: z.string(),
  }),
});

/** Identifiers of units and names are text, every other identifier is a number. */
const pathSchema = (name: string): JsonSchema =>
  /id$/i.test(name) && name !== 'ouId' ? { type: 'integer', minimum: 1 } : { type: 'string', minLength: 1 };

const parametersOf = ({ path }: Route, source: string, query: JsonSchema = {}): readonly JsonObject[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(name),
    'x-provenance': source,
  })),
  ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: schema.description,
    schema,
    'x-provenance': schema['x-provenance'],
  })),
];

/** The operation of a route, for the service's document or that of the control interface. */
const operationOf = (route: Route, name: NameSchema): JsonObject => {
  const { operationId, about, service, body, query, status, answer, refusals: more } = route;
  const source = service?.source ?? 'extension';
  const unmarked = service === undefined ? 'extension' : 'our choice';
  const statuses = [
    ...(service !== undefined && body === undefined && query === undefined ? [] : [400]),
    ...(service === undefined ? [] : [401, 500]),
    403,
    ...more,
    ...(body === undefined ? [] : [413, 415]),
  ];
  return {
    operationId,
    summary: about.replace(/\.$/, ''),
    description: operationId === 'listAuditLogs' ? `${about} Types: ${auditActionTypes.join(', ')}.` : about,
    tags: [service?.tag ?? (route.scope === 'portal' ? 'The whole portal' : 'One tenant')],
    'x-provenance': source,
    'x-permission': service?.permission ?? 'none: only for programs and the portal’s own console',
    security: service === undefined ? [] : [{ bearer: [] }],
    parameters: parametersOf(route, source, query && schemaOf(query, service?.querySource ?? unmarked)),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: json(name(body[0], schemaOf(body[1], unmarked)), examples[operationId]),
      },
    }),
    responses: {
      [String(status)]: {
        description: about,
        // An exported seed has the form of an imported one, without parsed defaults.
        ...(answer !== undefined && {
          content: json(name(answer[0], schemaOf(answer[1], unmarked, service && 'output'))),
        }),
      },
      ...refusals(
        statuses,
        name('Error', schemaOf(restError, unmarked)),
        service === undefined
          ? {
              403: 'The request comes from a page of another origin.',
              404: 'There is no such tenant, or it has no such resource.',
            }
          : {},
      ),
    },
  };
};

/** The paths of routes. */
export const pathsOf = (routes: readonly Route[], name: NameSchema) => {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const { path, method } = route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, name) };
  }
  return paths;
};
