import { type ResourceName, resources, type ServiceResource } from '@vitrine/contract/service';
import { ask, type Row, shown, upperFirst } from './api.ts';
import { fieldsOf } from './fields.ts';
import type { ListAction, ListDefinition } from './listDefinition.ts';

type ResourceShape = Omit<ListDefinition, 'title' | 'one'> & {
  /** Path of its rows below the tenant. Default: the name. */
  readonly rows?: string;
  /** Path for new rows. Default: that of the service. */
  readonly newRows?: string;
  readonly removal?: Partial<ListAction>;
};

/** The list of a resource of the service, with what its table says. */
export const resourceList = (resource: ResourceName, given: ResourceShape): ListDefinition => {
  const { rows = given.name, newRows = `v1/${given.name}`, removal, ...shape } = given;
  const { noun }: ServiceResource = resources[resource];
  const pathOf = (path: string, { id }: Row) => `${path}/${rows}/${shown(id)}`;
  const change = (path: string, row: Row, changes: Row) => ask('PATCH', pathOf(path, row), changes);
  return {
    title: `${upperFirst(noun)}s`,
    one: noun,
    fields: () => fieldsOf(resource),
    // The service creates rows without what the portal adds to them.
    create: async (path, { rule, report, hasRls, ...body }) => {
      const created = await ask('POST', `${path}/${newRows}`, body);
      const added = Object.entries({ rule, report, hasRls }).filter(([, value]) => (value ?? '') !== '');
      if (added.length === 0) return created;
      await change(path, created, Object.fromEntries(added)).catch(async (error: unknown) => {
        // No half of a row stays.
        await ask('DELETE', pathOf(path, created));
        throw error;
      });
      return created;
    },
    change,
    ...shape,
    actions: [
      ...(shape.actions ?? []),
      {
        text: 'Remove',
        effectOf: () => '',
        act: (path, row) => ask('DELETE', pathOf(path, row)),
        ...removal,
      },
    ],
  };
};
