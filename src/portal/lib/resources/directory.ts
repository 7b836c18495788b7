import { change } from '../change.ts';
import { type Route, tenantRoute } from '../route.ts';
import { applyDirectory } from '../seed/applySeed.ts';
import { directorySchema } from '../seed/seedSchema.ts';

/** The identity directory, which the interface only mentions as the source of synchronizations (4.3). */
export const directoryRoutes: readonly Route[] = [
  tenantRoute('PUT /directory', 'Replaces the identity directory for synchronizations.', {
    body: ['Directory', directorySchema],
    handle: ({ body, ...call }) =>
      change(call, 'DirectoryUpdated', async ({ db, tenantId }) => {
        for (const table of ['directory_members', 'directory_groups', 'directory_people'] as const)
          await db.deleteFrom(table).where('tenantId', '=', tenantId).execute();
        await applyDirectory({ db }, { tenantId, directory: body });
        return {
          id: tenantId,
          description: 'The identity directory was replaced.',
          details: { people: body.people.length, groups: body.groups.length },
        };
      }),
  }),
];
