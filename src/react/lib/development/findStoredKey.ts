import { embedKeyPrefix } from '../keys/embedKeyOptions.ts';

/** How many values of an object store to read: a persister writes one per client, or one per query. */
const maxValues = 100;

const prefix = new RegExp(String.raw`\[\\*"${embedKeyPrefix}\\*",`);

/** Whether a stored text contains an embed key: its query key, which every persister stores, and its data. */
const hasKey = (text: string): boolean => prefix.test(text) && text.includes('tenantUrl');

const resultOf = <TResult>(request: IDBRequest<TResult>): Promise<TResult> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

const hasKeyInDatabase = async (name: string): Promise<boolean> => {
  const database = await resultOf(indexedDB.open(name));
  try {
    for (const store of database.objectStoreNames) {
      const values = database.transaction(store).objectStore(store).getAll(null, maxValues);
      if (hasKey(JSON.stringify(await resultOf(values)))) return true;
    }
    return false;
  } finally {
    database.close();
  }
};

/** The storage of the page that contains an embed key, if any. Rejects on a page without storage. */
export const findStoredKey = async (): Promise<string | undefined> => {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    if (Object.values(globalThis[name]).some((text) => hasKey(String(text)))) return name;
  for (const { name } of await indexedDB.databases())
    if (name !== undefined && (await hasKeyInDatabase(name))) return `the IndexedDB database ${name}`;
  return undefined;
};
