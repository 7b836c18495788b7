import { PortalError } from '../../errors/portalError.ts';

/** Roles and units that rows name and the tenant does not have. */
export interface UnknownNames {
  readonly add: (kind: 'role' | 'organizational unit', name: string, where: string) => void;
  /** Throws a {@link PortalError} that names them and their rows, if there are any. */
  readonly check: () => void;
}

const maxNames = 10;
const maxRows = 3;

/** Collects what is unknown over all rows, so that one message names everything that has to be corrected. */
export const createUnknownNames = (): UnknownNames => {
  const names = new Map<string, { readonly rows: string[]; count: number }>();
  return {
    add: (kind, name, where) => {
      const label = `${kind} ${JSON.stringify(name)}`;
      const known = names.get(label) ?? { rows: [], count: 0 };
      names.set(label, known);
      known.count += 1;
      if (known.rows.length < maxRows) known.rows.push(where);
    },
    check: () => {
      if (names.size === 0) return;
      const shown = [...names].slice(0, maxNames).map(([label, { rows, count }]) => {
        const more = count > rows.length ? ` and ${count - rows.length} more` : '';
        return `${label} (${rows.join(', ')}${more})`;
      });
      const more = names.size > maxNames ? ` and ${names.size - maxNames} more` : '';
      throw new PortalError(
        `The source names what the tenant does not have: ${shown.join(', ')}${more}. Nothing was planned. Correct the source, or create them first or in the same plan.`,
        { kind: 'config', code: 'unknown_names' },
      );
    },
  };
};
