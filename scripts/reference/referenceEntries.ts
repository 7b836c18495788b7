/** An entry point of a published package in the manual. */
export interface ReferenceEntry {
  /** The import specifier. */
  readonly name: string;
  /** Its source file, relative to the root of the repository. */
  readonly source: string;
}

/** The entry points with a page in the API reference. */
export const referenceEntries: readonly ReferenceEntry[] = [
  { name: '@vitrine/react', source: 'src/react/lib/index.ts' },
  { name: '@vitrine/react/picker', source: 'src/react/lib/picker/index.ts' },
  { name: '@vitrine/react/testing', source: 'src/react/lib/testing/index.ts' },
  { name: '@vitrine/react/devtools', source: 'src/react/lib/devtools/index.ts' },
  { name: '@vitrine/server', source: 'src/server/lib/index.ts' },
  { name: '@vitrine/server/actions', source: 'src/server/lib/actions/index.ts' },
  // After these two: the first entry that exports a name describes it.
  { name: '@vitrine/express', source: 'src/express/lib/index.ts' },
  { name: '@vitrine/portal-client', source: 'src/portal-client/lib/index.ts' },
  { name: '@vitrine/vite', source: 'src/vite/lib/index.ts' },
  { name: '@vitrine/portal', source: 'src/portal/lib/index.ts' },
  { name: '@vitrine/portal/testing', source: 'src/portal/lib/testing/index.ts' },
  { name: '@vitrine/conformance', source: 'src/conformance/lib/index.ts' },
  { name: '@vitrine/contract', source: 'src/contract/lib/index.ts' },
  { name: '@vitrine/contract/service', source: 'src/contract/lib/service/index.ts' },
];
