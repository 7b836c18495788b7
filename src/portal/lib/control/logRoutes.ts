import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, controlRoute } from './controlRoute.ts';
import { deliveryFilterSchema, requestFilterSchema } from './controlSchemas.ts';

/** Omits undefined fields, which the filters do not accept. */
const given = <TValue extends object>(value: TValue) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [TKey in keyof TValue]?: Exclude<TValue[TKey], undefined>;
  };

/** Routes of the two logs. */
export const logRoutes: readonly ControlRoute[] = [
  controlRoute({
    method: 'GET',
    path: '/requests',
    summary: 'The request log, newest last.',
    query: requestFilterSchema,
    status: 200,
    answer: controlAnswers.requests,
    handle: async ({ requests, query: { waitFor, timeoutMs, ...filter } }) => {
      const items =
        waitFor === undefined
          ? await requests.list(given(filter))
          : await requests.waitFor(given(filter), { count: waitFor, timeoutMs: timeoutMs ?? 5000 });
      return { items };
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/requests',
    summary: 'Empties the request log.',
    status: 204,
    handle: async ({ requests }) => requests.clear(),
  }),
  controlRoute({
    method: 'GET',
    path: '/deliveries',
    summary: 'The sent webhooks.',
    query: deliveryFilterSchema,
    status: 200,
    answer: controlAnswers.deliveries,
    handle: async ({ deliveries, query: { waitFor, timeoutMs, ...filter } }) => {
      const items =
        waitFor === undefined
          ? await deliveries.list(given(filter))
          : await deliveries.waitFor(given(filter), { count: waitFor, timeoutMs: timeoutMs ?? 5000 });
      return { items };
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/deliveries',
    summary: 'Empties the webhook log.',
    status: 204,
    handle: async ({ deliveries }) => deliveries.clear(),
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/{id}/replay',
    summary: 'Sends a webhook again.',
    status: 204,
    handle: async ({ deliveries, params }) => deliveries.replay(Number(params['id'])),
  }),
];
