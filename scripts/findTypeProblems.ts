import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';

/** The packages are ES modules: a host with TypeScript's oldest resolution, or with `require` only, cannot use them anyway. */
const ignoredResolutions: readonly string[] = ['node10', 'node16-cjs'];

// Under module: node16, what `require` names are declarations of CommonJS for what Node.js loads all the same.
const isIgnored = (problem: Problem): boolean =>
  problem.kind === 'FalseCJS' ||
  ('resolutionKind' in problem && ignoredResolutions.includes(problem.resolutionKind));

/** What are-the-types-wrong finds in a packed package, as sentences. */
export const findTypeProblems = async (
  tarball: Uint8Array,
  entries: readonly string[],
): Promise<string[]> => {
  const packed = createPackageFromTarballData(tarball);
  const analysis = await checkPackage(packed, {
    excludeEntrypoints: entries.filter((entry) => entry.endsWith('.css')),
  });
  if (!analysis.types) return ['are-the-types-wrong: the package has no types'];
  return analysis.problems
    .filter((problem) => !isIgnored(problem))
    .map(
      (problem) =>
        `are-the-types-wrong: ${problemKindInfo[problem.kind].shortDescription}: ${JSON.stringify(problem)}`,
    );
};
