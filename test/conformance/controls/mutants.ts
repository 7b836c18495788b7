import { administrationMutants } from './administrationMutants.ts';
import { auditMutants } from './auditMutants.ts';
import { authenticationMutants } from './authenticationMutants.ts';
import { embeddingMutants } from './embeddingMutants.ts';
import type { Mutant } from './mutant.ts';
import { reportPageMutants } from './reportPageMutants.ts';

/** Every broken service of the controls. */
export const mutants: readonly Mutant[] = [
  ...administrationMutants,
  ...auditMutants,
  ...embeddingMutants,
  ...reportPageMutants,
  ...authenticationMutants,
];
