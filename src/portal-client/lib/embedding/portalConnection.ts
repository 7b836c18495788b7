import type { Secret } from '../secret.ts';

/** A secret as a host hands it in: plain text, or wrapped so that it does not print. */
export type SecretInput = string | Secret;

/** What a host writes down about its tenant of the portal. `new Secret(text)` keeps a secret from printing. */
export interface PortalConnectionInput {
  /** Address under which reports open, `https://<tenancy>.<portal>` (docs/interface.md#4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Address of the embedding interface (docs/interface.md#4.6 `{api_base_url}`). */
  readonly apiBaseUrl: string;
  /** Address of the administration interface (docs/interface.md#4 `{base_url}`), for actions. Default: `apiBaseUrl`. */
  readonly baseUrl?: string;
  /** Numeric ID of the tenant, sent as `Svc.TenantId`. */
  readonly tenantId: number | string;
  /** Subdomain name of the tenant. */
  readonly tenancyName: string;
  /** API key; several while one replaces the other, the new one first. */
  readonly apiKey: SecretInput | readonly SecretInput[];
  /** Passphrase of the tenant; several while one replaces the other, the new one first. */
  readonly passPhrase: SecretInput | readonly SecretInput[];
  /**
   * Name of the tenant header, for gateways that drop names with a dot. Default `Svc.TenantId`. A name that HTTP or the
   * call itself uses already (`Authorization`, `Host` …) is rejected.
   */
  readonly tenantIdHeader?: string;
}

/** A checked {@link PortalConnectionInput}; its secrets print as `***`. */
export interface PortalConnection {
  /** Without a slash at the end. */
  readonly tenantUrl: string;
  /** Without a slash at the end. */
  readonly apiBaseUrl: string;
  /** Above zero. */
  readonly tenantId: number;
  /** Subdomain name of the tenant. */
  readonly tenancyName: string;
  /** At least one, the newest first. */
  readonly apiKeys: readonly [Secret, ...Secret[]];
  /** At least one, the newest first. */
  readonly passPhrases: readonly [Secret, ...Secret[]];
  /** Name of the tenant header. */
  readonly tenantIdHeader: string;
}
