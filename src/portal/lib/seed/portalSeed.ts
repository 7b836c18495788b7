import type { ServiceInput } from '@vitrine/contract/service';
import type { ReportKind } from '../reports/shared/reportKinds.ts';
import type { RowRule } from '../rowSecurity.ts';

interface SeedApiKey extends Omit<ServiceInput<'apiKey'>, 'permissions'> {
  readonly key: string;
  /** Default: all. */
  readonly permissions?: readonly string[] | undefined;
}

interface SeedRole extends ServiceInput<'role'> {
  readonly isSystem?: boolean | undefined;
  readonly rule?: RowRule | undefined;
}

interface SeedOrganizationUnit extends ServiceInput<'organizationUnit'> {
  /** A name within the seed, for `parentId` and for users. */
  readonly id: string;
}

interface SeedPerson extends Pick<ServiceInput<'user'>, 'email' | 'firstName' | 'lastName'> {
  readonly id: string;
  readonly type?: string | undefined;
}

/** The identity directory for synchronizations. */
interface SeedDirectory {
  readonly people?: readonly SeedPerson[] | undefined;
  readonly groups?: readonly ServiceInput<'directoryGroup'>[] | undefined;
}

/** GUIDs and related content that are omitted are derived from the tenant and the Item ID. */
interface SeedItem extends Omit<ServiceInput<'item'>, 'workspaceId' | 'reportId' | 'additionalData'> {
  readonly id: number;
  readonly guid?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly reportId?: string | undefined;
  readonly additionalData?: ServiceInput<'item'>['additionalData'] | undefined;
  /** Whether rows are filtered by role and user. Default: as the related content says. */
  readonly hasRls?: boolean | undefined;
  readonly report?: ReportKind | undefined;
}

interface SeedTask extends ServiceInput<'task'> {
  readonly itemId?: number | undefined;
  readonly webhookUrl?: string | undefined;
  /** Default: a development secret. `null`: no secret. */
  readonly secret?: string | null | undefined;
}

type SeedTenant = {
  readonly tenantId: number;
  /** Subdomain of the tenant. */
  readonly tenancyName: string;
  readonly displayName: string;
  /** Default: a public development key and passphrase. */
  readonly apiKeys?: readonly SeedApiKey[] | undefined;
  readonly passPhrase?: string | undefined;
  /** CSP `frame-ancestors` of the report pages. */
  readonly frameAncestors?: string | undefined;
  readonly roles?: readonly SeedRole[] | undefined;
  readonly organizationUnits?: readonly SeedOrganizationUnit[] | undefined;
  readonly users?: readonly ServiceInput<'user'>[] | undefined;
  readonly directory?: SeedDirectory | undefined;
  readonly items?: readonly SeedItem[] | undefined;
  readonly tasks?: readonly SeedTask[] | undefined;
  readonly slideshows?: readonly { readonly name: string; readonly itemId: number }[] | undefined;
};

/** A seed before parsing: the initial data of a portal. An omitted field gets its default. */
export interface PortalSeed {
  readonly tenants: readonly SeedTenant[];
}
