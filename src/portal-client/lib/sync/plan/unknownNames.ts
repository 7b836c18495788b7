import { quoteText } from '@vitrine/contract';
import { PortalError } from '../../errors/portalError.ts';

type Kind = 'role' | 'organizational unit';

/** Roles and units in rows that the tenant does not have. */
export interface UnknownNames {
  readonly add: (kind: Kind, name: string, where: string) => void;
  /** Throws a {@link PortalError} with these names, their rows, and a known name that differs only in case. */
  readonly check: (known: Readonly<Record<Kind, Iterable<string>>>) => void;
}

const maxNames = 10;
const maxRows = 3;

/** Collects the unknown names of all rows, so that one message lists everything to correct. */
export const createUnknownNames = (): UnknownNames => {
  const names = new Map<string, { readonly kind: Kind; readonly name: string; readonly rows: string[] }>();
  return {
    add: (kind, name, where) => {
      const id = `${kind} ${name}`;
      const entry = names.get(id) ?? { kind, name, rows: [] };
      names.set(id, entry);
      entry.rows.push(where);
    },
    check: (known) => {
      if (names.size === 0) return;
      const shown = [...names.values()].slice(0, maxNames).map(({ kind, name, rows }) => {
        const more = rows.length > maxRows ? ` and ${rows.length - maxRows} more` : '';
        const alike = [...known[kind]].find((other) => other.toLowerCase() === name.toLowerCase());
        const suggestion = alike === undefined ? '' : `; did you mean ${quoteText(alike)}?`;
        return `${kind} ${quoteText(name)} (${rows.slice(0, maxRows).join(', ')}${more}${suggestion})`;
      });
      const more = names.size > maxNames ? ` and ${names.size - maxNames} more` : '';
      throw new PortalError(
        `The source contains names that the tenant does not have: ${shown.join(', ')}${more}. Nothing was planned. Correct the source, or create them first or in the same plan.`,
        { kind: 'config', code: 'unknown_names' },
      );
    },
  };
};
