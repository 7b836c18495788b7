import type { ReportKind } from '../reports/shared/reportKinds.ts';
import type { RowRule } from '../rowSecurity.ts';

interface SeedPerson {
  email: string;
  firstName: string;
  lastName: string;
}

interface SeedApiKey {
  name: string;
  key: string;
  permissions?: readonly string[] | undefined;
}

interface SeedRole {
  name: string;
  type: string;
  code?: string | null | undefined;
  description?: string | null | undefined;
  isSystem?: boolean | undefined;
  rule?: RowRule | undefined;
}

interface SeedOrganizationUnit {
  /** A name within the seed, for `parentId` and for users. */
  id: string;
  name: string;
  parentId: string;
  directoryGroupId?: string | null | undefined;
}

interface SeedUser extends SeedPerson {
  type: string;
  roles?: readonly string[] | undefined;
  organizationUnits?: readonly string[] | undefined;
  /** Nobody signs in to this portal, so this value stays. */
  lastLoginAt?: string | undefined;
}

/** The identity directory for synchronizations. */
interface SeedDirectory {
  people?: (SeedPerson & { id: string; type?: string | undefined })[] | undefined;
  groups?: { id: string; name: string; members?: string[] | undefined }[] | undefined;
}

/** GUIDs and related content that are omitted are derived from the tenant and the Item ID. */
interface SeedItem {
  id: number;
  guid?: string | undefined;
  type: string;
  workspaceId?: string | undefined;
  reportId?: string | undefined;
  displayName: string;
  roles?: readonly string[] | undefined;
  additionalData?: readonly { type: string; id: string; hasRls: boolean }[] | undefined;
  /** Whether rows are filtered by role and user. Default: as the related content says. */
  hasRls?: boolean | undefined;
  report?: ReportKind | undefined;
}

interface SeedTask {
  name: string;
  description?: string | null | undefined;
  kind?: string | undefined;
  itemId?: number | undefined;
  visualNames?: readonly string[] | undefined;
  webhookUrl?: string | undefined;
  /** Default: a development secret. `null`: no secret. */
  secret?: string | null | undefined;
  query?: string | undefined;
  enabled?: boolean | undefined;
}

interface SeedTenant {
  tenantId: number;
  /** Subdomain of the tenant. */
  tenancyName: string;
  displayName: string;
  /** Default: a public development key and passphrase. */
  apiKeys?: SeedApiKey[] | undefined;
  passPhrase?: string | undefined;
  /** CSP `frame-ancestors` of the report pages. */
  frameAncestors?: string | undefined;
  roles?: SeedRole[] | undefined;
  organizationUnits?: SeedOrganizationUnit[] | undefined;
  users?: SeedUser[] | undefined;
  directory?: SeedDirectory | undefined;
  items?: SeedItem[] | undefined;
  tasks?: SeedTask[] | undefined;
  slideshows?: { name: string; itemId: number }[] | undefined;
}

/** A seed before parsing: the initial data of a portal. An omitted field gets its default. */
export interface PortalSeed {
  tenants: SeedTenant[];
}
