import type { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, controlRoute } from './controlRoute.ts';
import { clearedFaultsSchema, clockSchema } from './controlSchemas.ts';

const applyToClock = (clock: PortalClock, command: z.output<typeof clockSchema>): void => {
  if ('freeze' in command) clock.freeze(command.freeze === true ? undefined : Date.parse(command.freeze));
  else if ('set' in command) clock.set(Date.parse(command.set));
  else if ('advanceMs' in command) clock.advance(command.advanceMs);
  else if ('speed' in command) clock.setSpeed(command.speed);
  else if ('resume' in command) clock.resume();
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
      applyToClock(services.clock, body);
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
