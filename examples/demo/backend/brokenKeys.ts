import { reportUrl } from '@vitrine/contract';
import { createEncryptedKeyPath, tenantIdHeader } from '@vitrine/contract/service';
import type { PortalTenant } from '@vitrine/portal';
import { Router } from 'express';

const kinds = ['expired', 'tampered', 'foreign'] as const;
const shortLifetimeMs = 1_000;

/** Requests a key (docs/interface.md#4.6) without our own client, which would reject such a short lifetime. */
const askForKey = async (tenant: PortalTenant, lifetimeMs: number): Promise<string> => {
  const [item] = tenant.items;
  const response = await fetch(`${tenant.apiBaseUrl}${createEncryptedKeyPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `ApiKey ${tenant.apiKey}`,
      [tenantIdHeader]: String(tenant.tenantId),
    },
    body: JSON.stringify({
      value: {
        userId: 'broken.key@acme.example',
        reportId: item?.id,
        roleNames: tenant.roleNames.slice(0, 1),
        expiration: new Date(Date.now() + lifetimeMs).toISOString(),
      },
      passPhrase: tenant.passPhrase,
      tenancyName: tenant.tenancyName,
    }),
  });
  const { result } = (await response.json()) as { result: { key: string } | null };
  if (result === null) throw new Error(`The portal did not return a key: status ${response.status}.`);
  return result.key;
};

const changedInTheMiddle = (key: string): string => {
  const middle = Math.floor(key.length / 2);
  return `${key.slice(0, middle)}${key[middle] === 'A' ? 'B' : 'A'}${key.slice(middle + 1)}`;
};

const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

/** URLs of the report page with invalid keys, to show its responses. */
export const brokenKeys = (own: PortalTenant, foreign: PortalTenant): Router => {
  const keyOf = {
    expired: async () => {
      const key = await askForKey(own, shortLifetimeMs);
      await pause(shortLifetimeMs + 100);
      return key;
    },
    tampered: async () => changedInTheMiddle(await askForKey(own, 60_000)),
    foreign: () => askForKey(foreign, 60_000),
  };
  const itemId = own.items[0]?.id ?? 0;

  return Router().get('/:kind', async (req, res, next) => {
    const kind = kinds.find((known) => known === req.params.kind);
    if (kind === undefined) return next();
    res.set('cache-control', 'no-store').redirect(reportUrl(own.tenantUrl, itemId, await keyOf[kind]()));
  });
};
