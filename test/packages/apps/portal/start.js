import { createPortal } from '@vitrine/portal';

const { url, tenants } = await createPortal();
process.send({ url, tenants });
