import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxDiagnostic } from '@vitrine/actions';
import { expect, it } from 'vitest';
import { createSpillFolder } from '../../src/actions/lib/inbox/spill/createSpillFolder.ts';
import {
  countIn,
  fileTime,
  listFiles,
  readDeliveries,
  writeDeliveries,
} from '../../src/actions/lib/inbox/spill/deliveryFiles.ts';
import { numberedBody, temporaryFolder } from './support/samples.ts';

const delivery = (n: number) => ({ raw: numberedBody(n), receivedAtMs: n, source: '192.0.2.1' });
const bodies = (deliveries: readonly { readonly raw: Uint8Array }[]) =>
  deliveries.map(({ raw }) => Buffer.from(raw).toString());
const start = () => {
  const folder = join(temporaryFolder(), 'not', 'there', 'yet');
  const diagnostics: InboxDiagnostic[] = [];
  const spill = createSpillFolder(folder, (item) => void diagnostics.push(item));
  const imported: [string, string[]][] = [];
  const store = async (deliveries: readonly { readonly raw: Uint8Array }[], name: string) =>
    void imported.push([name, bodies(deliveries)]);
  return { folder, diagnostics, spill, imported, store };
};

it.each([
  [-5, '000000000000000'],
  [12.9, '000000000000012'],
  [1_700_000_000_123, '001700000000123'],
])('begins the name of a file that is written at %d with %s', (ms, time) => {
  expect(fileTime(ms)).toBe(time);
});

it('lists only its own files, the oldest first, and counts their deliveries by their names', async () => {
  const { folder, spill } = start();
  expect(await spill.count()).toBe(0);
  await writeDeliveries(folder, [delivery(3)], 10_000);
  await writeDeliveries(
    folder,
    Array.from({ length: 12 }, (_, n) => delivery(n)),
    2000,
  );
  const own = readdirSync(folder).sort();
  for (const name of [`x${own[0]}`, `${own[0]}.tmp`, 'notes.txt']) writeFileSync(join(folder, name), '');
  expect(await listFiles(folder)).toEqual(own);
  expect([...own.map(countIn), countIn('notes.txt')]).toEqual([12, 1, 0]);
  expect(await spill.count()).toBe(13);
});

it('writes deliveries only for the owner, and reads them back', async () => {
  const { folder, spill } = start();
  await spill.write([delivery(1), { ...delivery(2), isReserialized: true }]);
  const [name = ''] = await listFiles(folder);
  // Windows has no such modes.
  if (process.platform !== 'win32')
    expect([folder, join(folder, name)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  const { deliveries, lost } = await readDeliveries(join(folder, name));
  expect(lost).toBe(0);
  expect(bodies(deliveries)).toEqual(bodies([delivery(1), delivery(2)]));
  expect(deliveries[1]).toMatchObject({ receivedAtMs: 2, source: '192.0.2.1', isReserialized: true });
});

it('rejects deliveries that it cannot write, and leaves no file', async () => {
  const { folder, spill } = start();
  // Only bytes can be encoded.
  await expect(spill.write([{ ...delivery(1), raw: undefined as never }])).rejects.toThrow(TypeError);
  expect(readdirSync(folder)).toEqual([]);
});

it('imports the oldest file first, and removes each', async () => {
  const { folder, spill, imported, store, diagnostics } = start();
  await spill.importSpilled(store);
  await writeDeliveries(folder, [delivery(2)], 2000);
  await writeDeliveries(folder, [delivery(1)], 1000);
  const names = await listFiles(folder);
  await spill.importSpilled(store);
  expect(imported).toEqual([
    [names[0], bodies([delivery(1)])],
    [names[1], bodies([delivery(2)])],
  ]);
  expect([readdirSync(folder), diagnostics]).toEqual([[], []]);
});

it('imports what is left of a damaged file, keeps the file and reports it', async () => {
  const { folder, spill, imported, store, diagnostics } = start();
  await spill.write([delivery(1), delivery(2)]);
  const [name = ''] = await listFiles(folder);
  const path = join(folder, name);
  const [first, second = ''] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${first}\n${second.replace('192.0.2.1', '192.0.2.9')}\nnonsense\n`);
  await spill.importSpilled(store);
  expect(imported).toEqual([[name, bodies([delivery(1)])]]);
  const keptAs = `${path}.damaged`;
  expect(diagnostics).toEqual([{ kind: 'spill-damaged', keptAs, lost: 2, imported: 1 }]);
  expect(readdirSync(folder)).toEqual([`${name}.damaged`]);
});

it('continues when another process has imported a file, and stops when the inbox stores none', async () => {
  const { folder, spill, imported, store } = start();
  for (const n of [1, 2]) await writeDeliveries(folder, [delivery(n)], n);
  const [first = '', second = ''] = await listFiles(folder);
  await expect(spill.importSpilled(() => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
  expect(await listFiles(folder)).toEqual([first, second]);
  await spill.importSpilled(async (deliveries, name) => {
    if (name === first) await rm(join(folder, first));
    await store(deliveries, name);
  });
  expect(imported.map(([name]) => name)).toEqual([first, second]);
  expect(readdirSync(folder)).toEqual([]);
});

it('rejects a path that is not a folder', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const spill = createSpillFolder(file, () => undefined);
  await expect(spill.count()).rejects.toThrow(/ENOTDIR/);
  await expect(spill.importSpilled(async () => undefined)).rejects.toThrow(/ENOTDIR/);
});
