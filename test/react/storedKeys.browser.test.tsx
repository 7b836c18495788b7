import { dehydrate, QueryClient } from '@tanstack/react-query';
import { embedKeyOptions } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { findStoredKey } from '../../src/react/lib/development/findStoredKey.ts';

const name = 'keyval-store';

const ended = (request: IDBRequest | IDBTransaction, type: string) =>
  new Promise((resolve) => request.addEventListener(type, resolve, { once: true }));

/** Stores a value as the usual small libraries for IndexedDB do. */
const store = async (value: unknown) => {
  const opening = indexedDB.open(name);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keyval'));
  await ended(opening, 'success');
  const database = opening.result;
  const transaction = database.transaction('keyval', 'readwrite');
  transaction.objectStore('keyval').put(value, 'reactQuery');
  await ended(transaction, 'complete');
  database.close();
};

beforeEach(() => () => ended(indexedDB.deleteDatabase(name), 'success'));

const dehydrateKey = async () => {
  const fake = createFakeEmbed();
  const queryClient = new QueryClient();
  onTestFinished(() => {
    fake.close();
    queryClient.clear();
  });
  await queryClient.fetchQuery(embedKeyOptions(1042, fake.provider));
  return dehydrate(queryClient);
};

it('finds a key that a persister of the client has stored in IndexedDB, as an object or as text', async () => {
  const clientState = await dehydrateKey();
  for (const value of [{ clientState }, JSON.stringify({ clientState })]) {
    await store(value);
    expect(await findStoredKey()).toBe(`the IndexedDB database ${name}`);
  }
});

it('finds nothing in other data, and keeps no database open', async () => {
  await store({ clientState: { queries: [{ queryKey: ['sales'], state: { data: { tenantUrl: '' } } }] } });
  expect(await findStoredKey()).toBeUndefined();
  // An open database would block its deletion.
  await ended(indexedDB.deleteDatabase(name), 'success');
});
