import type { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { emptyReply, jsonReply } from '../http/exchange.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { validate } from '../service/validate.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { clockSchema } from './controlSchemas.ts';

const tellClock = (clock: PortalClock, told: z.output<typeof clockSchema>): void => {
  if ('freeze' in told) clock.freeze(told.freeze === true ? undefined : Date.parse(told.freeze));
  else if ('set' in told) clock.set(Date.parse(told.set));
  else if ('advanceMs' in told) clock.advance(told.advanceMs);
  else if ('speed' in told) clock.setSpeed(told.speed);
  else if ('resume' in told) clock.resume();
  else clock.reset();
};

/** Routes of the clock and the faults. */
export const clockRoutes = ({ services, faults }: ControlContext): ControlRoute[] => [
  {
    method: 'GET',
    path: '/_control/clock',
    handle: async () => jsonReply(200, services.clock.state()),
  },
  {
    method: 'POST',
    path: '/_control/clock',
    handle: async (request) => {
      tellClock(services.clock, validate(clockSchema, readJsonBody(request)));
      return jsonReply(200, services.clock.state());
    },
  },
  {
    method: 'GET',
    path: '/_control/faults',
    handle: async () => jsonReply(200, { items: faults.list() }),
  },
  {
    method: 'POST',
    path: '/_control/faults',
    handle: async (request) =>
      jsonReply(201, { id: faults.add(validate(faultSchema, readJsonBody(request))) }),
  },
  {
    method: 'DELETE',
    path: '/_control/faults',
    handle: async (request) => {
      faults.clear(request.query.get('tenancyName') ?? undefined);
      return emptyReply(204);
    },
  },
  {
    method: 'DELETE',
    path: '/_control/faults/{id}',
    handle: async (_, { id }) => {
      faults.remove(Number(id));
      return emptyReply(204);
    },
  },
];
