import { change } from '../change.ts';
import { type Route, tenantRoute } from '../route.ts';
import { directorySchema } from '../seed/seedSchema.ts';

/** The identity directory, which the interface only mentions as the source of synchronizations (4.3). */
export const directoryRoutes: readonly Route[] = [
  tenantRoute('PUT /directory', 'Replaces the identity directory for synchronizations.', {
    body: ['Directory', directorySchema],
    handle: ({ body: directory, ...call }) =>
      change(call, 'DirectoryUpdated', async ({ db, tenantId }) => {
        await db.updateTable('directories').set({ directory }).where('tenantId', '=', tenantId).execute();
        return {
          id: tenantId,
          description: 'The identity directory was replaced.',
          details: { people: directory.people.length, groups: directory.groups.length },
        };
      }),
  }),
];
