import { emptyReply, jsonReply } from '../http/exchange.ts';
import { validate } from '../service/validate.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { deliveryFilterSchema, requestFilterSchema } from './controlSchemas.ts';

/** Leaves out what was not given: the filters take missing fields, not undefined ones. */
const given = <TValue extends object>(value: TValue) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [TKey in keyof TValue]?: Exclude<TValue[TKey], undefined>;
  };

/** Routes of the two logs, and the stream that says when there is something new. */
export const logRoutes = ({ services, requests, deliveries, onDelivery }: ControlContext): ControlRoute[] => [
  {
    method: 'GET',
    path: '/_control/requests',
    handle: async ({ query }) => {
      const { waitFor, timeoutMs, ...filter } = validate(requestFilterSchema, Object.fromEntries(query));
      const items =
        waitFor === undefined
          ? await requests.list(given(filter))
          : await requests.waitFor(given(filter), { count: waitFor, timeoutMs: timeoutMs ?? 5000 });
      return jsonReply(200, { items });
    },
  },
  {
    method: 'DELETE',
    path: '/_control/requests',
    handle: async () => {
      await requests.clear();
      return emptyReply(204);
    },
  },
  {
    method: 'GET',
    path: '/_control/deliveries',
    handle: async ({ query }) => {
      const { waitFor, timeoutMs, ...filter } = validate(deliveryFilterSchema, Object.fromEntries(query));
      const items =
        waitFor === undefined
          ? await deliveries.list(given(filter))
          : await deliveries.waitFor(given(filter), { count: waitFor, timeoutMs: timeoutMs ?? 5000 });
      return jsonReply(200, { items });
    },
  },
  {
    method: 'POST',
    path: '/_control/deliveries/{id}/replay',
    handle: async (_, { id }) => {
      await deliveries.replay(Number(id));
      return emptyReply(204);
    },
  },
  {
    method: 'DELETE',
    path: '/_control/deliveries',
    handle: async () => {
      await deliveries.clear();
      return emptyReply(204);
    },
  },
  {
    method: 'GET',
    path: '/_control/events',
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      open: (write) => {
        const tell = (name: string) => () => write(`event: ${name}\ndata: {}\n\n`);
        write(': open\n\n');
        const stops = [
          requests.onAdded(tell('request')),
          onDelivery(tell('delivery')),
          services.clock.onChange(tell('clock')),
        ];
        return () => {
          for (const stop of stops) stop();
        };
      },
    }),
  },
];
