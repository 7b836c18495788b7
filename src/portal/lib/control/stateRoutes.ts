import { readSeed } from '../seed/exportSeed.ts';
import { parseSeed } from '../seed/seedFiles.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, controlRoute } from './controlRoute.ts';
import { importSchema } from './controlSchemas.ts';

/** Routes of the whole state: snapshots, export and import as a seed, reset. */
export const stateRoutes: readonly ControlRoute[] = [
  controlRoute({
    method: 'GET',
    path: '/snapshots',
    summary: 'The stored snapshots.',
    status: 200,
    answer: controlAnswers.snapshots,
    handle: async ({ control }) => ({ items: control.snapshots() }),
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots',
    summary: 'Takes a snapshot of the whole state.',
    status: 201,
    answer: controlAnswers.created,
    handle: async ({ control }) => control.snapshot(),
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots/{id}/restore',
    summary: 'Restores a snapshot.',
    status: 204,
    handle: async ({ control, params }) => control.restore({ id: Number(params['id']) }),
  }),
  controlRoute({
    method: 'GET',
    path: '/seed',
    summary: 'The state as a seed, without secrets.',
    status: 200,
    answer: controlAnswers.seed,
    handle: async ({ services }) => readSeed(services.db),
  }),
  controlRoute({
    method: 'PUT',
    path: '/seed',
    summary: 'Replaces all tenants with those of a seed in JSON or YAML.',
    body: ['SeedImport', importSchema],
    status: 204,
    handle: async ({ control, body: { text, fileName } }) => {
      return control.importSeed(await parseSeed(text, fileName));
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/reset',
    summary: 'Resets tenants, logs, clock and faults to the seed.',
    status: 204,
    handle: async ({ control }) => control.reset(),
  }),
];
