import type { ActionInbox, DeliveryFilter, DeliveryState, StoredDelivery } from '@vitrine/server/actions';

const pageSize = 200;

/** Lists deliveries page by page, newest first. */
export async function* newestOf(
  inbox: ActionInbox,
  wanted: readonly DeliveryState[] | undefined,
): AsyncGenerator<StoredDelivery> {
  for (let to: string | undefined; ; ) {
    const page = await inbox.list({ states: wanted, to, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    to = String(BigInt(last.id) - 1n);
  }
}

/** Lists deliveries page by page, oldest first. */
export async function* allOf(
  inbox: ActionInbox,
  filter: Omit<DeliveryFilter, 'limit'>,
): AsyncGenerator<StoredDelivery> {
  for (let from = filter.from ?? '0'; ; ) {
    const page = await inbox.list({ ...filter, from, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    from = String(BigInt(last.id) + 1n);
  }
}
