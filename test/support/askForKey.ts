import { createEncryptedKeyPath, tenantIdHeader } from '@vitrine/contract/service';
import type { PortalTenant } from '@vitrine/portal';

export interface KeyWish {
  readonly itemId: number;
  readonly roleNames: readonly string[];
  readonly expiration: string;
}

/** Requests a key exactly as in docs/interface.md#4.6, without our own client code. */
export const askForKey = async (tenant: PortalTenant, wish: KeyWish): Promise<string> => {
  const response = await fetch(`${tenant.apiBaseUrl}${createEncryptedKeyPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `ApiKey ${tenant.apiKey}`,
      [tenantIdHeader]: String(tenant.tenantId),
    },
    body: JSON.stringify({
      value: {
        userId: 'reader@acme.example',
        reportId: wish.itemId,
        roleNames: wish.roleNames,
        expiration: wish.expiration,
      },
      passPhrase: tenant.passPhrase,
      tenancyName: tenant.tenancyName,
    }),
  });
  const { result } = (await response.json()) as { result: { key: string } | null }; // docs/interface.md#4.6
  if (result === null) throw new Error(`The portal returned no key: status ${response.status}.`);
  return result.key;
};
