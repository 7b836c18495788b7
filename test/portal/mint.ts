import type { PortalTenant } from '@vitrine/portal';

/** A valid CreateEncryptedKey request with replaceable parts. */
export interface MintOptions {
  readonly tenant: PortalTenant;
  readonly itemId: number;
  readonly userId?: string;
  readonly roleNames?: readonly string[];
  readonly expiration?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends CreateEncryptedKey as in docs/interface.md#4.6. */
export const requestKey = (options: MintOptions): Promise<Response> =>
  fetch(`${options.tenant.apiBaseUrl}/api/services/app/ItemLinks/CreateEncryptedKey`, {
    method: 'POST',
    headers: {
      'Svc.TenantId': String(options.tenant.tenantId),
      Authorization: `ApiKey ${options.tenant.apiKey}`,
      'Content-Type': 'application/json',
      ...options.headers,
    },
    body: JSON.stringify(
      options.body ?? {
        value: {
          userId: options.userId ?? 'viewer@acme.example',
          reportId: options.itemId,
          ...(options.roleNames && { roleNames: options.roleNames }),
          ...(options.expiration && { expiration: options.expiration }),
        },
        passPhrase: options.tenant.passPhrase,
        tenancyName: options.tenant.tenancyName,
      },
    ),
  });

/** The key itself. */
export const mintKey = async (options: MintOptions): Promise<string> => {
  const answer = await (await requestKey(options)).json();
  if (answer.result === null) throw new Error(`No key: ${answer.error?.message ?? 'no reason given'}`);
  return answer.result.key;
};
