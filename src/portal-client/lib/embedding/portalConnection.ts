import type { Secret } from '../secret.ts';

/** A secret: plain text, or wrapped so that it does not print. */
export type SecretInput = string | Secret;

/** The connection to a tenant of the portal. `new Secret(text)` keeps a secret from printing. */
export interface PortalConnectionInput {
  /** Address of the report pages, `https://<tenancy>.<portal>` (docs/interface.md#4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Address of the embedding interface (docs/interface.md#4.6 `{api_base_url}`). */
  readonly apiBaseUrl: string;
  /** Address of the administration API (docs/interface.md#4 `{base_url}`), for actions. Default: `apiBaseUrl`. */
  readonly baseUrl?: string;
  /** Numeric ID of the tenant, sent as `Svc.TenantId`. */
  readonly tenantId: number | string;
  /** Subdomain name of the tenant. */
  readonly tenancyName: string;
  /** API key; during a rotation, a list with the new one first. */
  readonly apiKey: SecretInput | readonly SecretInput[];
  /** Passphrase of the tenant; during a rotation, a list with the new one first. */
  readonly passPhrase: SecretInput | readonly SecretInput[];
  /**
   * Name of the tenant header, for gateways that drop names with a dot. Default `Svc.TenantId`. A name that HTTP or the
   * request already uses (`Authorization`, `Host` …) is rejected.
   */
  readonly tenantIdHeader?: string;
}

/** A checked {@link PortalConnectionInput}, and one itself; its secrets print as `***`. */
export interface PortalConnection {
  /** Without a trailing slash. */
  readonly tenantUrl: string;
  /** Without a trailing slash. */
  readonly apiBaseUrl: string;
  /** Default: `apiBaseUrl`. */
  readonly baseUrl: string;
  /** Above zero. */
  readonly tenantId: number;
  /** Subdomain name of the tenant. */
  readonly tenancyName: string;
  /** At least one, newest first. */
  readonly apiKey: readonly [Secret, ...Secret[]];
  /** At least one, newest first. */
  readonly passPhrase: readonly [Secret, ...Secret[]];
  /** Name of the tenant header. */
  readonly tenantIdHeader: string;
}
