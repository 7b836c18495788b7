import { type AdviceCode, explain } from '@vitrine/contract/service';
import type { DiagnosisContext } from './finding.ts';

/** The advice of a code, and of what `also` may be the cause, with the values that the doctor uses. */
export const adviceFor = (
  code: AdviceCode,
  { connection, options }: DiagnosisContext,
  also?: AdviceCode,
  part = connection.tenantIdHeader,
): string => {
  const { what, check } = explain({ code, also, part, setting: 'passPhrase' }, 'variable', {
    tenantId: `VITRINE_TENANT_ID (now ${connection.tenantId})`,
    tenancyName: `VITRINE_TENANCY_NAME (now "${connection.tenancyName}")`,
    userId: `--user (now "${options.userId}")`,
    roleNames: `--role (${options.roleNames.length === 0 ? 'none given' : `now ${options.roleNames.join(', ')}`})`,
    ...(options.itemId !== undefined && { itemId: `--item (now ${options.itemId})` }),
  });
  return what || check;
};
