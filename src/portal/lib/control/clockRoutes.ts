import type { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, controlRoute } from './controlRoute.ts';
import { clearedFaultsSchema, clockSchema } from './controlSchemas.ts';

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
    answer: controlAnswers.clock,
    handle: async ({ services }) => services.clock.state(),
  }),
  controlRoute({
    method: 'POST',
    path: '/clock',
    summary: 'Moves, freezes or resets the clock.',
    body: ['ClockChange', clockSchema],
    status: 200,
    answer: controlAnswers.clock,
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
    answer: controlAnswers.faults,
    handle: async ({ faults }) => ({ items: faults.list() }),
  }),
  controlRoute({
    method: 'POST',
    path: '/faults',
    summary: 'Sets a fault.',
    body: ['Fault', faultSchema],
    status: 201,
    answer: controlAnswers.created,
    handle: async ({ faults, body }) => ({ id: faults.add(body) }),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults',
    summary: 'Removes all faults, or those of `tenancyName`.',
    query: clearedFaultsSchema,
    status: 204,
    handle: async ({ faults, query: { tenancyName } }) => faults.clear(tenancyName),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Removes a fault.',
    status: 204,
    handle: async ({ faults, params }) => faults.remove(Number(params['id'])),
  }),
];
