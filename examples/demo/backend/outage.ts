import { createEncryptedKeyPath } from '@vitrine/contract/service';
import type { Portal } from '@vitrine/portal';
import { Router } from 'express';

const outageMs = 20_000;

/** Makes the portal drop every key request for a while, to show the viewer's experience. */
export const outage = (portal: Portal): Router =>
  Router().post('/', (_req, res) => {
    const fault = portal.faults.add({ effect: { kind: 'drop' }, path: createEncryptedKeyPath });
    setTimeout(() => portal.faults.remove(fault), outageMs).unref();
    res.json({ outageMs });
  });
