import { createEncryptedKeyPath } from '@vitrine/contract';
import type { Portal } from '@vitrine/portal';
import { Router } from 'express';

const outageMs = 20_000;

/** Lets the portal drop every request for a key for a while, so that a person sees what a viewer sees then. */
export const outage = (portal: Portal): Router =>
  Router().post('/', (_req, res) => {
    const fault = portal.faults.add({ effect: { kind: 'drop' }, path: createEncryptedKeyPath });
    setTimeout(() => portal.faults.remove(fault), outageMs).unref();
    res.json({ outageMs });
  });
