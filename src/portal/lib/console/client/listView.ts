import { element } from '../../ui/element.ts';
import { ask, type Row, rowsOf, shown } from './ask.ts';
import { confirmed, type FormDialog, openForm } from './forms.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, type Column, card, input, labeled, row, showDetails, table } from './uiParts.ts';

/** A list of a tenant: its columns and the actions on its rows. */
export interface ListDefinition {
  /** Name in the path: `users`. */
  readonly name: string;
  readonly title: string;
  /** Singular noun: `user`. */
  readonly one: string;
  readonly columns: readonly Column[];
  /** The form of a new or edited row. */
  readonly form?: (tenancyName: string, row: Row | undefined) => Promise<FormDialog>;
  /** Removes a row. */
  readonly remove?: (tenancyName: string, row: Row) => Promise<unknown>;
  /** Whether a row can be removed. Default: any. */
  readonly isRemovable?: (row: Row) => boolean;
  /** Name of a row in the confirmation of its removal. */
  readonly nameOf?: (row: Row) => string;
  /** Side effects of a removal, as a sentence, or empty. */
  readonly effectOf?: (row: Row) => string;
}

const pageSize = 25;

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

const countText = ({ from, to, total }: { from: number; to: number; total: number }, searched: unknown) => {
  const counted =
    total === 0 ? 'None' : to - from + 1 === total ? `${total} in total` : `${from}–${to} of ${total}`;
  return searched === undefined ? counted : `${counted}, among the newest ${shown(searched)}`;
};

/** The view of a list of a tenant, with paging, search and editing. */
export const listView = (tenancyName: string, list: ListDefinition): HTMLElement => {
  const search = input({ type: 'search', placeholder: 'Any text' });
  const place = element('div');
  const count = element('p', { class: 'count', attributes: { role: 'status' } });
  const previous = button('Previous', () => turn(-1));
  const next = button('Next', () => turn(1));
  const pager = element('div', { class: 'pager', children: [count, previous, next] });
  const nameOf = (row: Row) => list.nameOf?.(row) ?? shown(row['id']);
  const verb = list.name === 'links' ? 'Revoke' : 'Remove';
  let page = 1;

  const edit = (row: Row | undefined) => {
    const { hash } = window.location;
    void list.form?.(tenancyName, row).then((dialog) => {
      // The view was left while the form was prepared: do not open it.
      if (window.location.hash !== hash) return;
      openForm({ ...dialog, submit: (...values) => dialog.submit(...values).then(refresh) });
      return undefined;
    });
  };
  const actions = (row: Row): HTMLElement =>
    element('div', {
      class: 'row-actions',
      children: [
        button('Details', () => showDetails(`${upperFirst(list.one)} ${nameOf(row)}`, row)),
        ...(list.form === undefined ? [] : [button('Edit', () => edit(row))]),
        ...(list.remove === undefined || list.isRemovable?.(row) === false
          ? []
          : [
              button(verb, () => {
                // Isolated, because a name may contain characters that change the text direction.
                const question = `${verb} the ${list.one} \u2068${nameOf(row)}\u2069?`;
                const effect = list.effectOf?.(row) ?? '';
                confirmed(
                  [question, effect, 'This cannot be undone.'].filter(Boolean).join(' '),
                  async () => {
                    await list.remove?.(tenancyName, row);
                    await refresh();
                  },
                );
              }),
            ]),
      ],
    });

  const refresh = onceAtATime(async () => {
    const query = new URLSearchParams({
      page: String(page),
      pageSize: String(pageSize),
      search: search.value,
    });
    const answer = await ask('GET', `/tenants/${tenancyName}/lists/${list.name}?${query.toString()}`);
    const rows = rowsOf(answer);
    const total = Number(answer['totalCount']);
    if (rows.length === 0 && page > 1) {
      page = Math.max(1, Math.ceil(total / pageSize));
      return refresh();
    }
    const from = (page - 1) * pageSize + 1;
    const to = from + rows.length - 1;
    count.textContent = countText({ from, to, total }, answer['searchedRows']);
    previous.disabled = page === 1;
    next.disabled = to >= total;
    previous.hidden = next.hidden = total <= pageSize;
    place.replaceChildren(
      rows.length === 0 && search.value !== ''
        ? element('p', { class: 'nothing', text: `No results for “${search.value}”.` })
        : table([...list.columns, { title: '', read: actions }], rows, { label: list.title.toLowerCase() }),
    );
  });
  const turn = (step: number) => {
    page += step;
    void refresh();
  };
  search.addEventListener('input', () => {
    page = 1;
    void refresh();
  });
  void refresh();
  return card(
    list.title,
    row(
      labeled('Search', search),
      ...(list.form === undefined ? [] : [button(`New ${list.one}`, () => edit(undefined), true)]),
    ),
    place,
    pager,
  );
};
