import type { RuntimeDependency } from './runtimeDependencies.ts';

const referenceOf = ({ name, version }: RuntimeDependency): string => `${name}@${version}`;

const describe = (one: RuntimeDependency) => {
  const { name, version, license, integrity } = one;
  return {
    type: 'library',
    'bom-ref': referenceOf(one),
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && {
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(integrity && {
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
      ],
    }),
  };
};

/** The software bill of materials (CycloneDX 1.5) of a package, which is the first of `dependencies`. */
export const billOfMaterials = ([itself, ...others]: readonly RuntimeDependency[]) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: itself && { component: describe(itself) },
  components: others.map(describe),
  dependencies: [itself, ...others].flatMap((one) =>
    one ? { ref: referenceOf(one), dependsOn: one.needs } : [],
  ),
});
