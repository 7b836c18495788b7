import type { ControlRoute } from '../control/controlRoute.ts';
import { controlPrefix, controlRoutes } from '../control/controlRoutes.ts';
import { type JsonObject, json, pathParameters, queryParameters, schemaOf } from './jsonSchema.ts';
import type { NamedSchemas } from './namedSchemas.ts';

const origin = { 'x-provenance': 'extension' };

const operationId = (method: string, path: string): string =>
  `control_${method}${path.replaceAll(/\{(\w+)\}/g, 'by_$1').replaceAll(/\W+/g, '_')}`;

const controlOperation = (
  { method, path, summary, body, query, status, answer }: ControlRoute,
  named: NamedSchemas,
): JsonObject => ({
  operationId: operationId(method.toLowerCase(), path),
  summary,
  tags: ['Control (development)'],
  'x-provenance': 'extension',
  'x-permission': 'none: only for programs and its own console',
  security: [],
  parameters: [...pathParameters(path, origin), ...queryParameters(query, origin)],
  ...(body !== undefined && {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: named.name(body[0], schemaOf(body[1], 'input')) } },
    },
  }),
  responses: {
    [String(status)]: {
      description: summary,
      ...(answer !== undefined && {
        // As input: an exported seed has the form of an imported one, without parsed defaults.
        content: json(named.name(answer[0], schemaOf(answer[1], 'input'))),
      }),
    },
  },
});

/** The paths of the control interface, for development and tests: no part of the service. */
export const controlPathItems = (named: NamedSchemas): Record<string, Record<string, JsonObject>> => {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of controlRoutes) {
    const path = controlPrefix + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: controlOperation(route, named) };
  }
  return paths;
};
