import type { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { type ControlRoute, controlRoute } from './controlRoute.ts';
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
export const clockRoutes: readonly ControlRoute[] = [
  controlRoute({
    method: 'GET',
    path: '/clock',
    summary: "The portal's clock.",
    status: 200,
    handle: async ({ services }) => services.clock.state(),
  }),
  controlRoute({
    method: 'POST',
    path: '/clock',
    summary: 'Moves, freezes or resets the clock.',
    body: ['ClockChange', clockSchema],
    status: 200,
    handle: async ({ services, body }) => {
      tellClock(services.clock, body);
      return services.clock.state();
    },
  }),
  controlRoute({
    method: 'GET',
    path: '/faults',
    summary: 'The active faults.',
    status: 200,
    handle: async ({ faults }) => ({ items: faults.list() }),
  }),
  controlRoute({
    method: 'POST',
    path: '/faults',
    summary: 'Sets a fault.',
    body: ['Fault', faultSchema],
    status: 201,
    handle: async ({ faults, body }) => ({ id: faults.add(body) }),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults',
    summary: 'Removes all faults, or those of `tenancyName`.',
    status: 204,
    handle: async ({ faults, request }) => faults.clear(request.query.get('tenancyName') ?? undefined),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Removes a fault.',
    status: 204,
    handle: async ({ faults, params }) => faults.remove(Number(params['id'])),
  }),
];
